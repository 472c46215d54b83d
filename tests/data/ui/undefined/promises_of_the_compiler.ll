; expect: bug undef line 0 "branch on an undefined value"
; expect: bug undef line 0 "switch on an undefined value"
; expect: exits 1
; expect: statuses 9
; level: -O0
; Flags that clang's passes write: `disjoint` ors, `nneg` conversions, `exact` shifts. Each decision of `broken` counts, none of `kept`.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @kept(i32 %n) {
  %or = or disjoint i32 %n, 4
  %wide = zext nneg i32 %or to i64
  %float = uitofp nneg i32 %or to double
  %sum = uitofp nneg i64 %wide to double
  %same = fcmp oeq double %float, %sum
  br i1 %same, label %more, label %bad
more:
  %vector = insertelement <2 x i32> <i32 8, i32 poison>, i32 %n, i64 1
  %both = or disjoint <2 x i32> %vector, <i32 1, i32 4>
  %lane = extractelement <2 x i32> %both, i64 1
  %exact = ashr exact i32 %lane, 0
  %is = icmp eq i32 %exact, 7
  br i1 %is, label %good, label %bad
good:
  ret i32 1
bad:
  ret i32 100
}

define i32 @broken(i32 %n) {
  %or = or disjoint i32 %n, 1
  %three = icmp eq i32 %or, 3
  br i1 %three, label %a, label %bad
a:
  %minus = sub i32 0, %n
  %wide = zext nneg i32 %minus to i64
  switch i64 %wide, label %bad [ i64 4294967293, label %b ]
b:
  %float = uitofp nneg i32 %minus to double
  %large = fcmp ogt double %float, 1.0
  br i1 %large, label %c, label %bad
c:
  %exact = lshr exact i32 %n, 1
  %one = icmp eq i32 %exact, 1
  br i1 %one, label %good, label %bad
good:
  ret i32 8
bad:
  ret i32 100
}

define i32 @main() {
  %a = call i32 @kept(i32 3)
  %b = call i32 @broken(i32 3)
  %c = add i32 %a, %b
  ret i32 %c
}
