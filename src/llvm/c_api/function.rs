//! Queries and changes of globals and functions.

use super::*;

impl Value {
    pub fn is_declaration(self) -> bool {
        ffi!(LLVMIsDeclaration(self.0)) != 0
    }

    /// The section that a global is to lie in; empty if it does not matter.
    pub fn section(self) -> String {
        let name = ffi!(LLVMGetSection(self.0));
        if name.is_null() {
            return String::new();
        }
        let name = ffi!(CStr::from_ptr(name));
        name.to_string_lossy().into_owned()
    }

    pub fn linkage(self) -> LLVMLinkage {
        ffi!(LLVMGetLinkage(self.0))
    }

    /// Returns true if only parts of the same shared object see the value.
    pub fn is_hidden(self) -> bool {
        self.visibility() == LLVMVisibility::LLVMHiddenVisibility
    }

    pub fn visibility(self) -> LLVMVisibility {
        ffi!(LLVMGetVisibility(self.0))
    }

    /// Returns true if an optimizer has worked on the function: clang keeps every function of -O0
    /// from being inlined, and LLVM's optimizer marks functions whose address is not compared.
    pub fn is_optimised(self) -> bool {
        use inkwell::llvm_sys::LLVMUnnamedAddr;
        !self.has_function_attribute("noinline")
            || ffi!(LLVMGetUnnamedAddress(self.0)) != LLVMUnnamedAddr::LLVMNoUnnamedAddr
    }

    pub fn set_linkage(self, linkage: LLVMLinkage) {
        ffi!(LLVMSetLinkage(self.0, linkage));
    }

    /// Removes the comdat, which a changed linkage may contradict.
    pub fn drop_comdat(self) {
        if ffi!(LLVMIsAGlobalObject(self.0)).is_null() {
            return; // aliases have none of their own
        }
        ffi!(inkwell::llvm_sys::comdat::LLVMSetComdat(
            self.0,
            std::ptr::null_mut()
        ));
    }

    pub fn initializer(self) -> Option<Value> {
        some(ffi!(LLVMGetInitializer(self.0))).map(Value)
    }

    pub fn is_constant_global(self) -> bool {
        ffi!(LLVMIsGlobalConstant(self.0)) != 0
    }

    pub fn is_thread_local(self) -> bool {
        ffi!(LLVMIsThreadLocal(self.0)) != 0
    }

    pub fn alignment(self) -> u32 {
        ffi!(LLVMGetAlignment(self.0))
    }

    /// The type of what a global, alias or function's address points to.
    pub fn global_value_type(self) -> Type {
        Type(ffi!(LLVMGlobalGetValueType(self.0)))
    }

    pub fn aliasee(self) -> Value {
        Value(ffi!(LLVMAliasGetAliasee(self.0)))
    }

    pub fn replace_all_uses_with(self, other: Value) {
        ffi!(LLVMReplaceAllUsesWith(self.0, other.0));
    }

    /// Deletes a function without uses.
    pub fn delete_function(self) {
        ffi!(LLVMDeleteFunction(self.0));
    }

    /// Deletes an indirect function without uses.
    pub fn delete_indirect_function(self) {
        ffi!(LLVMEraseGlobalIFunc(self.0));
    }

    /// Leaves an alias without uses to globaldce; the C interface cannot delete one.
    pub fn abandon_alias(self) {
        self.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    }

    /// Deletes a global variable without uses.
    pub fn delete_global(self) {
        ffi!(LLVMDeleteGlobal(self.0));
    }

    pub fn blocks(self) -> Vec<Block> {
        let mut list = Vec::new();
        let mut next = some(ffi!(LLVMGetFirstBasicBlock(self.0)));
        while let Some(block) = next {
            list.push(Block(block));
            next = some(ffi!(LLVMGetNextBasicBlock(block)));
        }
        list
    }

    pub fn parameters(self) -> Vec<Value> {
        let count = ffi!(LLVMCountParams(self.0));
        (0..count)
            .map(|index| Value(ffi!(LLVMGetParam(self.0, index))))
            .collect()
    }

    /// Attribute positions: 0 the returned value, 1.. the parameters, `u32::MAX` the function.
    pub fn has_function_attribute(self, name: &str) -> bool {
        let kind = attribute_kind(name);
        !ffi!(LLVMGetEnumAttributeAtIndex(self.0, u32::MAX, kind)).is_null()
    }

    pub fn remove_function_attribute(self, name: &str) {
        let kind = attribute_kind(name);
        ffi!(LLVMRemoveEnumAttributeAtIndex(self.0, u32::MAX, kind));
    }

    pub fn set_enum_attribute(self, name: &str) {
        let context = ffi!(LLVMGetModuleContext(LLVMGetGlobalParent(self.0)));
        let attribute = ffi!(LLVMCreateEnumAttribute(context, attribute_kind(name), 0));
        ffi!(LLVMAddAttributeAtIndex(self.0, u32::MAX, attribute));
    }

    pub fn set_text_attribute(self, name: &str, value: &str) {
        let context = ffi!(LLVMGetModuleContext(LLVMGetGlobalParent(self.0)));
        let attribute = ffi!(LLVMCreateStringAttribute(
            context,
            name.as_ptr().cast(),
            name.len() as u32,
            value.as_ptr().cast(),
            value.len() as u32
        ));
        ffi!(LLVMAddAttributeAtIndex(self.0, u32::MAX, attribute));
    }

    pub fn remove_text_attribute(self, name: &str) {
        let (start, length) = (name.as_ptr().cast(), name.len() as u32);
        ffi!(LLVMRemoveStringAttributeAtIndex(
            self.0,
            u32::MAX,
            start,
            length
        ));
    }

    pub fn text_attribute(self, name: &str) -> Option<String> {
        let attribute = ffi!(LLVMGetStringAttributeAtIndex(
            self.0,
            u32::MAX,
            name.as_ptr().cast(),
            name.len() as u32
        ));
        if attribute.is_null() {
            return None;
        }
        let mut length = 0;
        let pointer = ffi!(LLVMGetStringAttributeValue(attribute, &mut length));
        Some(text(pointer, length as usize))
    }

    /// The type of a parameter's `byval` (index from 0), for functions and for calls.
    pub fn byval_type(self, parameter: u32) -> Option<Type> {
        let kind = attribute_kind("byval");
        let attribute = if self.is_instruction() {
            ffi!(LLVMGetCallSiteEnumAttribute(self.0, parameter + 1, kind))
        } else {
            ffi!(LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, kind))
        };
        (!attribute.is_null()).then(|| Type(ffi!(LLVMGetTypeAttributeValue(attribute))))
    }

    /// The `align` attribute of a parameter in bytes, 0 if it has none.
    pub fn parameter_alignment(self, parameter: u32) -> u32 {
        let kind = attribute_kind("align");
        let attribute = if self.is_instruction() {
            ffi!(LLVMGetCallSiteEnumAttribute(self.0, parameter + 1, kind))
        } else {
            ffi!(LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, kind))
        };
        if attribute.is_null() {
            return 0;
        }
        ffi!(LLVMGetEnumAttributeValue(attribute)) as u32
    }

    /// The call carries the attribute itself.
    pub fn has_call_attribute(self, name: &str) -> bool {
        let kind = attribute_kind(name);
        !ffi!(LLVMGetCallSiteEnumAttribute(self.0, u32::MAX, kind)).is_null()
    }

    /// The file of a function, and the directory that the compiler was in.
    pub fn function_file(self) -> Option<(String, String)> {
        let subprogram = some(ffi!(LLVMGetSubprogram(self.0)))?;
        let file = some(file_of(subprogram))?;
        let mut length = 0;
        let directory = ffi!(LLVMDIFileGetDirectory(file, &mut length));
        Some((file_name(subprogram), text(directory, length as usize)))
    }

    pub fn function_position(self) -> Option<SourcePosition> {
        let subprogram = some(ffi!(LLVMGetSubprogram(self.0)))?;
        Some(SourcePosition {
            file: file_name(subprogram),
            line: ffi!(LLVMDISubprogramGetLine(subprogram)),
            column: 0,
        })
    }

    /// Returns the definition of a global variable, if debug information has it.
    pub fn global_position(self, module: ModuleRef) -> Option<SourcePosition> {
        let kind = metadata_kind(module, "dbg");
        let mut count = 0;
        let entries = ffi!(LLVMGlobalCopyAllMetadata(self.0, &mut count));
        let mut found = None;
        for index in 0..count as u32 {
            if ffi!(LLVMValueMetadataEntriesGetKind(entries, index)) == kind && found.is_none() {
                let expression = ffi!(LLVMValueMetadataEntriesGetMetadata(entries, index));
                found = some(ffi!(LLVMDIGlobalVariableExpressionGetVariable(expression)));
            }
        }
        ffi!(LLVMDisposeValueMetadataEntries(entries));
        super::variable::position(found?)
    }
}
