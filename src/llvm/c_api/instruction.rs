//! Queries and changes of instructions.

use super::*;

impl Value {
    pub fn position(self) -> Option<SourcePosition> {
        let location = some(ffi!(LLVMInstructionGetDebugLoc(self.0)))?;
        Some(SourcePosition {
            file: file_name(ffi!(LLVMDILocationGetScope(location))),
            line: ffi!(LLVMDILocationGetLine(location)),
            column: ffi!(LLVMDILocationGetColumn(location)),
        })
    }

    /// The text in the one-operand metadata node of this kind, of a global.
    pub fn text_metadata(self, module: ModuleRef, kind: &str) -> Option<String> {
        let kind = metadata_kind(module, kind);
        let mut count = 0;
        let entries = ffi!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        let mut found = None;
        for index in 0..count as u32 {
            if ffi!(LLVMValueMetadataEntriesGetKind(entries, index)) != kind {
                continue;
            }
            let node = ffi!(LLVMValueMetadataEntriesGetMetadata(entries, index));
            let value = ffi!(LLVMMetadataAsValue(module.context(), node));
            if ffi!(LLVMGetMDNodeNumOperands(value)) == 1 {
                let mut operand = std::ptr::null_mut();
                ffi!(LLVMGetMDNodeOperands(value, &mut operand));
                if let Some(operand) = some(operand) {
                    let mut length = 0;
                    let pointer = ffi!(LLVMGetMDString(operand, &mut length));
                    found = Some(text(pointer, length as usize));
                }
            }
        }
        ffi!(LLVMDisposeValueMetadataEntries(entries));
        found
    }

    /// The numbers in the metadata node of this kind, of a global; none if it is about others.
    pub fn numbers_metadata(self, module: ModuleRef, kind: &str) -> Vec<u64> {
        let kind = metadata_kind(module, kind);
        let mut count = 0;
        let entries = ffi!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        let mut found = Vec::new();
        for index in 0..count as u32 {
            if ffi!(LLVMValueMetadataEntriesGetKind(entries, index)) != kind {
                continue;
            }
            let node = ffi!(LLVMValueMetadataEntriesGetMetadata(entries, index));
            let value = ffi!(LLVMMetadataAsValue(module.context(), node));
            let length = ffi!(LLVMGetMDNodeNumOperands(value)) as usize;
            let mut operands = vec![std::ptr::null_mut(); length];
            ffi!(LLVMGetMDNodeOperands(value, operands.as_mut_ptr()));
            let operands = operands.into_iter().filter_map(some).map(Value);
            let is_number = |value: &Value| value.kind() == LLVMValueKind::LLVMConstantIntValueKind;
            found = operands.filter(is_number).map(Value::const_u64).collect();
        }
        ffi!(LLVMDisposeValueMetadataEntries(entries));
        found
    }

    pub fn set_text_metadata(self, module: ModuleRef, kind: &str, value: &str) {
        let (context, kind) = (module.context(), metadata_kind(module, kind));
        let mut operand = ffi!(LLVMMDStringInContext2(
            context,
            value.as_ptr().cast(),
            value.len()
        ));
        let node = ffi!(LLVMMDNodeInContext2(context, &mut operand, 1));
        ffi!(LLVMGlobalSetMetadata(self.0, kind, node));
    }

    /// The number in the one-operand metadata node of this kind.
    pub fn metadata_number(self, kind: u32) -> Option<u32> {
        let node = some(ffi!(LLVMGetMetadata(self.0, kind)))?;
        let mut operand = std::ptr::null_mut();
        if ffi!(LLVMGetMDNodeNumOperands(node)) != 1 {
            return None;
        }
        ffi!(LLVMGetMDNodeOperands(node, &mut operand));
        let value = Value(some(operand)?);
        (value.kind() == LLVMValueKind::LLVMConstantIntValueKind).then(|| value.const_u64() as u32)
    }

    pub fn set_metadata_number(self, kind: u32, number: u32) {
        let context = ffi!(LLVMGetTypeContext(self.ty().0));
        let i32_type = ffi!(LLVMInt32TypeInContext(context));
        let constant = ffi!(LLVMConstInt(i32_type, u64::from(number), 0));
        let mut operand = ffi!(LLVMValueAsMetadata(constant));
        let node = ffi!(LLVMMDNodeInContext2(context, &mut operand, 1));
        let value = ffi!(LLVMMetadataAsValue(context, node));
        ffi!(LLVMSetMetadata(self.0, kind, value));
    }

    /// The instruction is a copy of another function's, made by inlining.
    pub fn is_inlined(self) -> bool {
        let location = some(ffi!(LLVMInstructionGetDebugLoc(self.0)));
        location.is_some_and(|location| some(ffi!(LLVMDILocationGetInlinedAt(location))).is_some())
    }

    /// The name of the variable that a `llvm.dbg.declare` or `llvm.dbg.value` call describes, and
    /// its address or its value.
    pub fn described_variable(self) -> Option<(Value, Variable)> {
        let operand = |index: u32| -> Option<LLVMValueRef> {
            let wrapped = self.operand(index).0;
            some(wrapped)
        };
        let address = operand(0)?;
        let mut value = std::ptr::null_mut();
        // A list of values is not a node, and must not be asked for its operands.
        let metadata = ffi!(LLVMValueAsMetadata(address));
        if !matches!(
            ffi!(LLVMGetMetadataKind(metadata)),
            LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind
        ) {
            return None;
        }
        ffi!(LLVMGetMDNodeOperands(address, &mut value));
        let variable = operand(1)?;
        let fields = variable::operands(variable);
        // A DILocalVariable's operands are scope, name, file, type...
        let name = some(*fields.get(1)?)?;
        let mut length = 0;
        let pointer = ffi!(LLVMGetMDString(name, &mut length));
        let ty = fields.get(3).and_then(|ty| some(*ty));
        let scope = fields.first().and_then(|scope| some(*scope));
        let variable = Variable {
            name: text(pointer, length as usize),
            ty: ty.map_or("void".to_string(), |ty| variable::type_name(ty, 0)),
            position: variable::position(ffi!(LLVMValueAsMetadata(variable))),
            scope: scope.map(Scope::of_node),
        };
        Some((Value(some(value)?), variable))
    }

    /// Puts a call of a function of one pointer before an instruction.
    pub fn call_before(self, module: ModuleRef, name: &str, pointer: Value) {
        let context = module.context();
        let mut parameters = [ffi!(LLVMPointerTypeInContext(context, 0))];
        let none = ffi!(LLVMVoidTypeInContext(context));
        let ty = ffi!(LLVMFunctionType(none, parameters.as_mut_ptr(), 1, 0));
        let called = module.function(name);
        let Some(called) = called.or_else(|| module.add_function(name, Type(ty))) else {
            return;
        };
        let builder = ffi!(LLVMCreateBuilderInContext(context));
        ffi!(LLVMPositionBuilderBefore(builder, self.0));
        let mut arguments = [pointer.0];
        let (arguments, unnamed) = (arguments.as_mut_ptr(), c"".as_ptr());
        ffi!(LLVMBuildCall2(builder, ty, called.0, arguments, 1, unnamed));
        ffi!(LLVMDisposeBuilder(builder));
    }

    pub fn block(self) -> Block {
        Block(ffi!(LLVMGetInstructionParent(self.0)))
    }

    /// Returns true for a load or store of a volatile object.
    pub fn is_volatile(self) -> bool {
        ffi!(LLVMGetVolatile(self.0)) != 0
    }

    pub fn int_predicate(self) -> LLVMIntPredicate {
        ffi!(LLVMGetICmpPredicate(self.0))
    }

    pub fn float_predicate(self) -> LLVMRealPredicate {
        ffi!(LLVMGetFCmpPredicate(self.0))
    }

    pub fn successors(self) -> Vec<Block> {
        let count = ffi!(LLVMGetNumSuccessors(self.0));
        (0..count)
            .map(|index| Block(ffi!(LLVMGetSuccessor(self.0, index))))
            .collect()
    }

    pub fn is_conditional(self) -> bool {
        ffi!(LLVMIsConditional(self.0)) != 0
    }

    pub fn condition(self) -> Value {
        Value(ffi!(LLVMGetCondition(self.0)))
    }

    pub fn allocated_type(self) -> Type {
        Type(ffi!(LLVMGetAllocatedType(self.0)))
    }

    pub fn gep_source_type(self) -> Type {
        Type(ffi!(LLVMGetGEPSourceElementType(self.0)))
    }

    /// Incoming values and blocks of a phi.
    pub fn incoming(self) -> Vec<(Value, Block)> {
        let count = ffi!(LLVMCountIncoming(self.0));
        (0..count)
            .map(|index| {
                (
                    Value(ffi!(LLVMGetIncomingValue(self.0, index))),
                    Block(ffi!(LLVMGetIncomingBlock(self.0, index))),
                )
            })
            .collect()
    }

    /// Indices of extractvalue and insertvalue.
    pub fn indices(self) -> Vec<u32> {
        let count = ffi!(LLVMGetNumIndices(self.0)) as usize;
        if count == 0 {
            return Vec::new();
        }
        ffi!(std::slice::from_raw_parts(LLVMGetIndices(self.0), count)).to_vec()
    }

    /// The mask of a shufflevector; `None` is an undefined lane.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        let count = ffi!(LLVMGetNumMaskElements(self.0));
        (0..count)
            .map(|index| u32::try_from(ffi!(LLVMGetMaskValue(self.0, index))).ok())
            .collect()
    }

    pub fn atomic_operation(self) -> LLVMAtomicRMWBinOp {
        ffi!(LLVMGetAtomicRMWBinOp(self.0))
    }

    /// Returns the users of a value, once for each use.
    pub fn users(self) -> Vec<Value> {
        let first = some(ffi!(LLVMGetFirstUse(self.0)));
        let uses = std::iter::successors(first, |current| some(ffi!(LLVMGetNextUse(*current))));
        uses.map(|one| Value(ffi!(LLVMGetUser(one)))).collect()
    }

    pub fn is_constant_int(self) -> bool {
        !ffi!(LLVMIsAConstantInt(self.0)).is_null()
    }

    // Exceptions.

    /// A landing pad runs for exceptions that it does not catch, too.
    pub fn is_cleanup(self) -> bool {
        ffi!(LLVMIsCleanup(self.0)) != 0
    }

    /// The clauses of a landing pad: types, or arrays of types that are filters.
    pub fn clauses(self) -> Vec<Value> {
        let count = ffi!(LLVMGetNumClauses(self.0));
        let clauses = (0..count).map(|index| Value(ffi!(LLVMGetClause(self.0, index))));
        clauses.collect()
    }

    /// A function that says what to do with exceptions.
    pub fn has_personality(self) -> bool {
        ffi!(LLVMHasPersonalityFn(self.0)) != 0
    }

    // Calls.

    pub fn called_value(self) -> Value {
        Value(ffi!(LLVMGetCalledValue(self.0)))
    }

    pub fn called_type(self) -> Type {
        Type(ffi!(LLVMGetCalledFunctionType(self.0)))
    }

    pub fn argument_count(self) -> u32 {
        ffi!(LLVMGetNumArgOperands(self.0))
    }

    /// The text and the constraints of inline assembly.
    pub fn assembly(self) -> (String, String) {
        let mut length = 0;
        let pointer = ffi!(LLVMGetInlineAsmAsmString(self.0, &mut length));
        let template = text(pointer, length);
        let pointer = ffi!(LLVMGetInlineAsmConstraintString(self.0, &mut length));
        (template, text(pointer, length))
    }

    /// Returns true if inline assembly has its operands in Intel's order.
    pub fn is_intel_assembly(self) -> bool {
        let syntax = ffi!(LLVMGetInlineAsmDialect(self.0));
        syntax == inkwell::llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectIntel
    }

    pub fn block_address(self) -> (Value, Block) {
        (
            Value(ffi!(LLVMGetBlockAddressFunction(self.0))),
            Block(ffi!(LLVMGetBlockAddressBasicBlock(self.0))),
        )
    }
}
