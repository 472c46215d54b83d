; expect: bug undef line 1 "branch on an undefined value"
; expect: bug undef line 2 "branch on an undefined value"
; expect: bug undef line 3 "branch on an undefined value"
; expect: bug undef line 4 "branch on an undefined value"
; expect: bug undef line 5 "branch on an undefined value"
; expect: bug undef line 6 "branch on an undefined value"
; expect: bug undef line 7 "branch on an undefined value"
; expect: bug undef line 8 "branch on an undefined value"
; expect: bug undef line 9 "branch on an undefined value"
; expect: bug undef line 10 "branch on an undefined value"
; expect: bug undef line 20 "access through a pointer that left its object"
; expect: exits 1
; expect: statuses 25
; level: -O0
; Broken promises of addresses, truncations and counts: each decision is reported, and the access to an element that a pointer
; reached by way of outside.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@table = internal global [8 x i32] zeroinitializer
@rows = internal global [4 x [4 x i16]] zeroinitializer

define i32 @broken(i64 %n) !dbg !3 {
  %beyond = getelementptr inbounds i32, ptr @table, i64 %n
  %after = getelementptr inbounds i8, ptr %beyond, i64 1
  %above = icmp ugt ptr %after, @table
  br i1 %above, label %before, label %bad, !dbg !10
before:
  %less = sub i64 0, %n
  %start = getelementptr inbounds i8, ptr @table, i64 %less
  %below = icmp ult ptr %start, @table
  br i1 %below, label %null, label %bad, !dbg !11
null:
  %field = getelementptr inbounds i8, ptr null, i64 %n
  %is_null = icmp eq ptr %field, null
  br i1 %is_null, label %bad, label %wrap, !dbg !12
wrap:
  %most = getelementptr nuw i8, ptr @table, i64 %less
  %most_below = icmp ult ptr %most, @table
  br i1 %most_below, label %scaled, label %bad, !dbg !13
scaled:
  ; 2^62 elements of four bytes: the distance wraps to 0.
  %huge = shl i64 %n, 59
  %wrapped = getelementptr nusw i32, ptr @table, i64 %huge
  %same = icmp eq ptr %wrapped, @table
  br i1 %same, label %between, label %bad, !dbg !14
between:
  ; The row is out of bounds, the element would be back in.
  %row = sub i64 4, %n
  %back = getelementptr inbounds [4 x [4 x i16]], ptr @rows, i64 0, i64 %row, i64 16
  %there = icmp eq ptr %back, @rows
  br i1 %there, label %trunc, label %bad, !dbg !15
trunc:
  %high = shl i64 %n, 30
  %cut = trunc nuw i64 %high to i32
  %zero = icmp eq i32 %cut, 0
  br i1 %zero, label %signed, label %bad, !dbg !16
signed:
  %byte = add i64 %n, 120
  %flipped = trunc nsw i64 %byte to i8
  %negative = icmp slt i8 %flipped, 0
  br i1 %negative, label %count, label %bad, !dbg !17
count:
  %none = sub i64 %n, 8
  %zeros = call i64 @llvm.ctlz.i64(i64 %none, i1 true)
  %all = icmp eq i64 %zeros, 64
  br i1 %all, label %absolute, label %bad, !dbg !18
absolute:
  %least = shl i64 %n, 60
  %magnitude = call i64 @llvm.abs.i64(i64 %least, i1 true)
  %still = icmp slt i64 %magnitude, 0
  br i1 %still, label %good, label %bad, !dbg !19
good:
  ret i32 20
bad:
  ret i32 100
}

define i32 @there_and_back(i64 %n) !dbg !4 {
  store i32 5, ptr @table
  %out = getelementptr inbounds i32, ptr @table, i64 100
  %less = sub i64 -92, %n
  %in = getelementptr inbounds i32, ptr %out, i64 %less
  %value = load i32, ptr %in, !dbg !90
  ret i32 %value
}

declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.abs.i64(i64, i1)

define i32 @main() {
  %a = call i32 @broken(i64 8)
  %b = call i32 @there_and_back(i64 8)
  %sum = add i32 %a, %b
  ret i32 %sum
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: LineTablesOnly)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "broken_addresses.c", directory: "/")
!3 = distinct !DISubprogram(name: "broken", file: !2, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!4 = distinct !DISubprogram(name: "there_and_back", file: !2, line: 20, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 1, scope: !3)
!11 = !DILocation(line: 2, scope: !3)
!12 = !DILocation(line: 3, scope: !3)
!13 = !DILocation(line: 4, scope: !3)
!14 = !DILocation(line: 5, scope: !3)
!15 = !DILocation(line: 6, scope: !3)
!16 = !DILocation(line: 7, scope: !3)
!17 = !DILocation(line: 8, scope: !3)
!18 = !DILocation(line: 9, scope: !3)
!19 = !DILocation(line: 10, scope: !3)
!90 = !DILocation(line: 20, scope: !4)
