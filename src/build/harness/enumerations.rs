//! Parameters whose type is an enumeration: they have its values only, unless the function takes
//! them apart as bits.

use super::metadata::{Metadata, Node, reference};
use super::signature::definition;

/// Values of an enumeration that are listed at most.
const MOST: usize = 64;

/// Returns the values of a parameter, counted from zero; `None` if it may have others.
pub(super) fn values(text: &str, all: &Metadata, function: &str, place: usize) -> Option<Vec<i64>> {
    let line = definition(text, function)?;
    let number = reference(line.rsplit_once("!dbg ")?.1.trim_end_matches(" {"))?;
    let described = all.get(number)?;
    let kind = all.follow(described, "type")?;
    let parameter = (*all.list(kind, "types").get(place + 1)?)?;
    let values = enumerators(all, all.get(parameter)?)?;
    let is_listed = (1..=MOST).contains(&values.len());
    (is_listed && !is_taken_apart(text, line, place)).then_some(values)
}

/// Returns the values of an enumeration, behind names of types.
fn enumerators<'m>(all: &'m Metadata, mut node: &'m Node) -> Option<Vec<i64>> {
    while matches!(
        node.field("tag"),
        Some("DW_TAG_typedef" | "DW_TAG_const_type" | "DW_TAG_volatile_type")
    ) {
        node = all.follow(node, "baseType")?;
    }
    if node.field("tag") != Some("DW_TAG_enumeration_type") {
        return None;
    }
    let elements = all.list(node, "elements").into_iter().flatten();
    elements
        .map(|element| all.get(element)?.field("value")?.parse().ok())
        .collect()
}

/// True if unoptimized code of a function computes with the bits of a parameter.
fn is_taken_apart(text: &str, definition: &str, place: usize) -> bool {
    let lines = text.lines().skip_while(|line| *line != definition);
    let mut variable = None;
    let mut values: Vec<&str> = Vec::new();
    for line in lines.skip(1).take_while(|line| *line != "}") {
        let line = line.trim_start();
        if let Some((value, target)) = line
            .strip_prefix("store i32 ")
            .and_then(|rest| rest.split_once(", ptr "))
            && value == format!("%{place}")
        {
            variable = target.split(',').next();
        }
        let Some((name, operation)) = line.split_once(" = ") else {
            continue;
        };
        if let Some(loaded) = operation.strip_prefix("load i32, ptr ") {
            if loaded.split(',').next() == variable {
                values.push(name);
            }
        } else if ["and ", "or ", "xor ", "shl ", "lshr "]
            .iter()
            .any(|bits| operation.starts_with(bits))
        {
            let mut words = operation.split([' ', ',']);
            if words.any(|word| values.contains(&word)) {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = concat!(
        "define i32 @f(i32 noundef %0, i32 noundef %1) #0 !dbg !4 {\n",
        "  store i32 %0, ptr %3, align 4\n  store i32 %1, ptr %4, align 4\n",
        "  %5 = load i32, ptr %4, align 4, !dbg !9\n  %6 = and i32 %5, 2, !dbg !9\n}\n",
        "!4 = distinct !DISubprogram(name: \"f\", type: !5)\n",
        "!5 = !DISubroutineType(types: !6)\n!6 = !{!7, !8, !8}\n",
        "!7 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n",
        "!8 = !DIDerivedType(tag: DW_TAG_typedef, name: \"kind\", baseType: !10)\n",
        "!10 = !DICompositeType(tag: DW_TAG_enumeration_type, baseType: !7, elements: !11)\n",
        "!11 = !{!12, !13}\n!12 = !DIEnumerator(name: \"A\", value: -1)\n",
        "!13 = !DIEnumerator(name: \"B\", value: 4)\n",
    );

    #[test]
    fn a_parameter_has_the_values_of_its_type_unless_its_bits_count() {
        let all = Metadata::read(TEXT);
        assert_eq!(values(TEXT, &all, "f", 0), Some(vec![-1, 4]));
        assert_eq!(values(TEXT, &all, "f", 1), None);
    }
}
