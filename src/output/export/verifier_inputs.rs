//! The types of the functions `__VERIFIER_nondet_...`, by which tasks get their inputs.

/// How the bits of an input are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Truth,
    Signed,
    Unsigned,
    Float,
    Double,
}

/// Ends of the functions' names, types in C, how values are written.
pub const TYPES: [(&str, &str, Form); 31] = [
    ("bool", "_Bool", Form::Truth),
    ("char", "char", Form::Signed),
    ("uchar", "unsigned char", Form::Unsigned),
    ("unsigned_char", "unsigned char", Form::Unsigned),
    ("short", "short", Form::Signed),
    ("ushort", "unsigned short", Form::Unsigned),
    ("int", "int", Form::Signed),
    ("uint", "unsigned int", Form::Unsigned),
    ("unsigned", "unsigned int", Form::Unsigned),
    ("long", "long", Form::Signed),
    ("ulong", "unsigned long", Form::Unsigned),
    ("longlong", "long long", Form::Signed),
    ("ulonglong", "unsigned long long", Form::Unsigned),
    ("int128", "__int128", Form::Signed),
    ("uint128", "unsigned __int128", Form::Unsigned),
    ("size_t", "size_t", Form::Unsigned),
    ("loff_t", "loff_t", Form::Signed),
    ("sector_t", "sector_t", Form::Unsigned),
    ("u8", "unsigned char", Form::Unsigned),
    ("u16", "unsigned short", Form::Unsigned),
    ("u32", "unsigned int", Form::Unsigned),
    ("U32", "unsigned int", Form::Unsigned),
    ("u64", "unsigned long", Form::Unsigned),
    ("S8", "signed char", Form::Signed),
    ("S16", "short", Form::Signed),
    ("S32", "int", Form::Signed),
    ("S64", "long", Form::Signed),
    ("float", "float", Form::Float),
    ("double", "double", Form::Double),
    ("pointer", "void *", Form::Unsigned),
    ("pchar", "char *", Form::Unsigned),
];
