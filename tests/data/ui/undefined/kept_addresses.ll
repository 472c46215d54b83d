; expect: exits 1
; expect: statuses 1
; level: -O0
; Promises of addresses, truncations and counts that hold: no decision is reported.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = internal global [8 x i32] zeroinitializer
@rows = internal global [4 x [4 x i16]] zeroinitializer

define i32 @kept(i64 %n) {
  ; The end is in bounds, and so is the way back from it.
  %end = getelementptr inbounds [8 x i32], ptr @table, i64 0, i64 %n
  %first = getelementptr inbounds i32, ptr %end, i64 -8
  %same = icmp eq ptr %first, @table
  br i1 %same, label %locals, label %bad
locals:
  %local = alloca [3 x i64]
  %last = getelementptr inbounds nuw i8, ptr %local, i64 %n
  %value = ptrtoint ptr %last to i64
  %base = ptrtoint ptr %local to i64
  %offset = sub i64 %value, %base
  %eight = icmp eq i64 %offset, 8
  br i1 %eight, label %null, label %bad
null:
  ; No distance from null is no sum, and without `inbounds` one may go anywhere.
  %none = sub i64 %n, 8
  %still = getelementptr inbounds i32, ptr null, i64 %none
  %is_null = icmp eq ptr %still, null
  br i1 %is_null, label %free, label %bad
free:
  %far = getelementptr i32, ptr @table, i64 1000
  %up = icmp ugt ptr %far, @table
  br i1 %up, label %down, label %bad
down:
  %less = sub i64 0, %n
  %before = getelementptr nusw i8, ptr @table, i64 %less
  %below = icmp ult ptr %before, @table
  br i1 %below, label %trunc, label %bad
trunc:
  %small = trunc nuw nsw i64 %n to i8
  %negative = trunc nsw i64 %less to i8
  %large = add i64 %n, 240
  %unsigned = trunc nuw i64 %large to i8
  %zero = add i8 %small, %negative
  %sum = add i8 %zero, %unsigned
  %right = icmp eq i8 %sum, -8
  br i1 %right, label %count, label %bad
count:
  %zeros = call i64 @llvm.ctlz.i64(i64 %n, i1 true)
  %none_left = call i64 @llvm.cttz.i64(i64 %none, i1 false)
  %bits = add i64 %zeros, %none_left
  %absolute = call i64 @llvm.abs.i64(i64 %less, i1 true)
  %all = add i64 %bits, %absolute
  %good_bits = icmp eq i64 %all, 132
  br i1 %good_bits, label %good, label %bad
good:
  ret i32 1
bad:
  ret i32 100
}

declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.abs.i64(i64, i1)

define i32 @main() {
  %a = call i32 @kept(i64 8)
  ret i32 %a
}
