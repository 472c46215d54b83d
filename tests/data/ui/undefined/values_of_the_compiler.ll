; expect: bug undef line 0 "branch on an undefined value"
; expect: bug undef line 0 "switch on an undefined value"
; expect: exits 1
; expect: statuses 11
; level: -O0
; Undef and poison as clang writes them after its passes: each branch of `used` counts, none of `fine`.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define i32 @fine(i32 %n) {
  %frozen = freeze i32 undef
  %is = icmp eq i32 %frozen, 0
  br i1 %is, label %go, label %bad
go:
  %pair = insertvalue { i32, i32 } undef, i32 %n, 1
  %one = extractvalue { i32, i32 } %pair, 1
  %vector = insertelement <2 x i32> poison, i32 %one, i64 0
  %both = shufflevector <2 x i32> %vector, <2 x i32> poison, <2 x i32> <i32 0, i32 poison>
  %lane = extractelement <2 x i32> %both, i64 0
  %masked = and i32 undef, 0
  %sum = add nsw i32 %lane, %masked
  %chosen = select i1 undef, i32 %sum, i32 %sum
  %exact = sdiv exact i32 12, %chosen
  %four = icmp eq i32 %exact, 4
  br i1 %four, label %good, label %bad
good:
  ret i32 1
bad:
  ret i32 100
}

define i32 @used(i32 %n) {
entry:
  switch i32 %n, label %join [ i32 7, label %other ]
other:
  br label %join
join:
  %value = phi i32 [ undef, %entry ], [ 5, %other ]
  %twice = shl nuw i32 %value, 1
  %is = icmp eq i32 %twice, 0
  br i1 %is, label %a, label %bad
a:
  %wrapped = add nuw i32 %n, -1
  switch i32 %wrapped, label %bad [ i32 2, label %good ]
good:
  %select = select i1 poison, i32 %n, i32 10
  ret i32 %select
bad:
  ret i32 100
}

define i32 @main() {
  %a = call i32 @fine(i32 3)
  %b = call i32 @used(i32 3)
  %c = add i32 %a, %b
  ret i32 %c
}
