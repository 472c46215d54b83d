use super::{parse, print};

const TWICE: &str = r#"program "twice.bc"
entry f0
file 0 ""
file 1 "a \"b\".c"
location l0 0 0 0
location l1 1 12 3
text t0 "line\nbreak"
branch br0 switch 3 "twice" program l1 integer local
global g0 "table" libc 16 8 constant bytes 00112233445566778899aabbccddeeff at 0 global g0 -8 at 8 func f1
global g1 "" program 0 1 external
func f0 "twice" program slots 9 address_taken @l1
  param %0 32 -
  param %1 64 24 8
  const %2 int 128 340282366920938463463374607431768211455
  const %4 func f1
  object 12 4 "buffer"
  result 32
  returns 0 [ %5 32 ]
  calls 0 f1 [ %0 32 %1 64 ] [ %6 32 ] noreturn variadic 1 classes [ integer sse ] byval [ - 24 8 ]
  calls 1 %4 [ ] [ ]
  calls 2 assembly t0 t0 [ ] [ ]
  moves 0 [ 32 %5 %0 64 %7 %1 ]
  switches 0 [ 7 b1 1 9 b1 2 ] default b0 0 br0
b0:
  bin mul 32 %5 %0 %0 @l1
  ptradd 32 %7 %1 %0 8 -4
  floatcast convert f64 x87 64 %2 %7
  call 0
  moves 0
  switch 32 %0 0
b1:
  branch %0 b0 b1 -
  unsupported t0
func f1 "callee" runtime slots 0 variadic noreturn
"#;

#[test]
fn text_round_trips_both_ways() {
    let program = parse(TWICE).unwrap();
    assert_eq!(print(&program), TWICE);
    assert_eq!(parse(&print(&program)).unwrap(), program);
}

#[test]
fn errors_name_the_line() {
    for (text, line, part) in [
        ("program \"x\nentry f0", 1, "does not end"),
        ("entry f0\nbin add 1 %0 %1 %2", 2, "outside of a function"),
        ("func f1 \"x\" program", 1, "number 0 expected"),
        (
            "func f0 \"x\" program\nb0:\nfrobnicate %1",
            3,
            "no instruction",
        ),
        ("func f0 \"x\" program\nb0:\nmove 8 %1", 3, "ends too early"),
        ("func f0 \"x\" program\nb0:\nmove 8 %1 %2 %3", 3, "too much"),
        ("global g0 \"x\" program 2 1 bytes 0", 1, "even number"),
        ("global g0 \"x\" program 2 1 bytes 00", 1, "1 bytes for 2"),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.line, line, "{text}: {error}");
        assert!(error.reason.contains(part), "{text}: {error}");
    }
}
