//! Queries and changes of modules.

use super::*;

impl ModuleRef {
    pub fn context(self) -> LLVMContextRef {
        ffi!(LLVMGetModuleContext(self.0))
    }

    pub fn functions(self) -> Vec<Value> {
        let mut list = Vec::new();
        let mut next = some(ffi!(LLVMGetFirstFunction(self.0)));
        while let Some(function) = next {
            list.push(Value(function));
            next = some(ffi!(LLVMGetNextFunction(function)));
        }
        list
    }

    /// The command lines that compilers recorded in the module (`-frecord-command-line`).
    pub fn command_lines(self) -> Vec<String> {
        let name = c"llvm.commandline".as_ptr();
        let count = ffi!(LLVMGetNamedMetadataNumOperands(self.0, name)) as usize;
        let mut nodes = vec![std::ptr::null_mut(); count];
        ffi!(LLVMGetNamedMetadataOperands(
            self.0,
            name,
            nodes.as_mut_ptr()
        ));
        let line = |node| {
            let mut operand = std::ptr::null_mut();
            if ffi!(LLVMGetMDNodeNumOperands(node)) != 1 {
                return None;
            }
            ffi!(LLVMGetMDNodeOperands(node, &mut operand));
            let mut length = 0;
            let pointer = ffi!(LLVMGetMDString(some(operand)?, &mut length));
            (!pointer.is_null()).then(|| text(pointer, length as usize))
        };
        nodes.into_iter().filter_map(line).collect()
    }

    pub fn globals(self) -> Vec<Value> {
        let mut list = Vec::new();
        let mut next = some(ffi!(LLVMGetFirstGlobal(self.0)));
        while let Some(global) = next {
            list.push(Value(global));
            next = some(ffi!(LLVMGetNextGlobal(global)));
        }
        list
    }

    pub fn aliases(self) -> Vec<Value> {
        let mut list = Vec::new();
        let mut next = some(ffi!(LLVMGetFirstGlobalAlias(self.0)));
        while let Some(alias) = next {
            list.push(Value(alias));
            next = some(ffi!(LLVMGetNextGlobalAlias(alias)));
        }
        list
    }

    pub fn indirect_functions(self) -> Vec<Value> {
        let mut list = Vec::new();
        let mut next = some(ffi!(LLVMGetFirstGlobalIFunc(self.0)));
        while let Some(symbol) = next {
            list.push(Value(symbol));
            next = some(ffi!(LLVMGetNextGlobalIFunc(symbol)));
        }
        list
    }

    pub fn function(self, name: &str) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        some(ffi!(LLVMGetNamedFunction(self.0, name.as_ptr()))).map(Value)
    }

    pub fn global(self, name: &str) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        some(ffi!(LLVMGetNamedGlobal(self.0, name.as_ptr()))).map(Value)
    }

    pub fn alias(self, name: &str) -> Option<Value> {
        some(ffi!(LLVMGetNamedGlobalAlias(
            self.0,
            name.as_ptr().cast(),
            name.len()
        )))
        .map(Value)
    }

    pub fn target_triple(self) -> String {
        let pointer = ffi!(LLVMGetTarget(self.0));
        if pointer.is_null() {
            return String::new();
        }
        ffi!(CStr::from_ptr(pointer)).to_string_lossy().into_owned()
    }

    pub fn data_layout(self) -> DataLayout {
        DataLayout::of(self)
    }

    /// Uses `llvm.dbg.declare` calls instead of debug records, so that names of locals can be read.
    pub fn use_debug_intrinsics(self) {
        ffi!(LLVMSetIsNewDbgInfoFormat(self.0, 0));
    }

    /// Does something while `llvm.dbg.declare` calls describe locals.
    pub fn with_debug_intrinsics(self, work: impl FnOnce()) {
        let format = ffi!(LLVMIsNewDbgInfoFormat(self.0));
        self.use_debug_intrinsics();
        work();
        ffi!(LLVMSetIsNewDbgInfoFormat(self.0, format));
    }

    /// Declares a function.
    pub fn add_function(self, name: &str, function_type: Type) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        Some(Value(ffi!(LLVMAddFunction(
            self.0,
            name.as_ptr(),
            function_type.0
        ))))
    }

    /// Declares a function of 32-bit integers.
    pub fn add_word_function(self, name: &str, parameters: usize) -> Option<Value> {
        let word = ffi!(LLVMInt32TypeInContext(self.context()));
        let mut parameters = vec![word; parameters];
        let count = parameters.len() as u32;
        let ty = ffi!(LLVMFunctionType(word, parameters.as_mut_ptr(), count, 0));
        self.add_function(name, Type(ty))
    }

    /// Declares a global variable.
    pub fn add_global(self, name: &str, value_type: Type) -> Option<Value> {
        let name = std::ffi::CString::new(name).ok()?;
        Some(Value(ffi!(LLVMAddGlobal(
            self.0,
            value_type.0,
            name.as_ptr()
        ))))
    }
}
