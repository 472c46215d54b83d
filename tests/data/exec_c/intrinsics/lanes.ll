; Intrinsics that rearrange lanes and mask pointers: few C compilers write them.
target triple = "x86_64-pc-linux-gnu"
@results = external global [65536 x i64]
@count = external global i64
@a = global <4 x i32> <i32 11, i32 -2, i32 0, i32 7>, align 16
@b = global <4 x i32> <i32 5, i32 7, i32 -9, i32 1000>, align 16
@wide = global <8 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8>, align 32
@numbers = global [8 x i32] [i32 3, i32 1, i32 4, i32 1, i32 5, i32 9, i32 2, i32 6], align 16
declare <4 x i32> @llvm.vector.splice.v4i32(<4 x i32>, <4 x i32>, i32)
declare <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32>, <4 x i32>)
declare { <4 x i32>, <4 x i32> } @llvm.vector.deinterleave2.v8i32(<8 x i32>)
declare <4 x i32> @llvm.experimental.vector.compress.v4i32(<4 x i32>, <4 x i1>, <4 x i32>)
declare i32 @llvm.experimental.cttz.elts.i32.v4i1(<4 x i1>, i1)
declare <4 x i32> @llvm.experimental.vector.partial.reduce.add.v4i32.v8i32(<4 x i32>, <8 x i32>)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)

define internal void @put(i64 %value) {
  %n = load i64, ptr @count
  %place = getelementptr i64, ptr @results, i64 %n
  store i64 %value, ptr %place
  %next = add i64 %n, 1
  store i64 %next, ptr @count
  ret void
}
define internal void @four(<4 x i32> %v) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %lane = extractelement <4 x i32> %v, i64 %i
  %w = sext i32 %lane to i64
  call void @put(i64 %w)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %loop, label %end
end:
  ret void
}
define internal void @packed(<4 x i1> %mask) {
  %a = load <4 x i32>, ptr @a
  %b = load <4 x i32>, ptr @b
  %c = call <4 x i32> @llvm.experimental.vector.compress.v4i32(<4 x i32> %a, <4 x i1> %mask, <4 x i32> %b)
  call void @four(<4 x i32> %c)
  %n = call i32 @llvm.experimental.cttz.elts.i32.v4i1(<4 x i1> %mask, i1 false)
  %w = zext i32 %n to i64
  call void @put(i64 %w)
  ret void
}
define i32 @test_main() {
  %a = load <4 x i32>, ptr @a
  %b = load <4 x i32>, ptr @b
  %wide = load <8 x i32>, ptr @wide
  %s1 = call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> %a, <4 x i32> %b, i32 1)
  call void @four(<4 x i32> %s1)
  %s2 = call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> %a, <4 x i32> %b, i32 -3)
  call void @four(<4 x i32> %s2)
  %mixed = call <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32> %a, <4 x i32> %b)
  %low = shufflevector <8 x i32> %mixed, <8 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %high = shufflevector <8 x i32> %mixed, <8 x i32> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  call void @four(<4 x i32> %low)
  call void @four(<4 x i32> %high)
  %parts = call { <4 x i32>, <4 x i32> } @llvm.vector.deinterleave2.v8i32(<8 x i32> %wide)
  %even = extractvalue { <4 x i32>, <4 x i32> } %parts, 0
  %odd = extractvalue { <4 x i32>, <4 x i32> } %parts, 1
  call void @four(<4 x i32> %even)
  call void @four(<4 x i32> %odd)
  %less = icmp slt <4 x i32> %a, %b
  %zero = icmp eq <4 x i32> %a, zeroinitializer
  %none = icmp eq <4 x i32> %a, <i32 99, i32 99, i32 99, i32 99>
  call void @packed(<4 x i1> %less)
  call void @packed(<4 x i1> %zero)
  call void @packed(<4 x i1> %none)
  %sums = call <4 x i32> @llvm.experimental.vector.partial.reduce.add.v4i32.v8i32(<4 x i32> %a, <8 x i32> %wide)
  %sum1 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %sums)
  %sum2 = sext i32 %sum1 to i64
  call void @put(i64 %sum2)
  %inside = getelementptr i8, ptr @numbers, i64 7
  %aligned = call ptr @llvm.ptrmask.p0.i64(ptr %inside, i64 -4)
  %second = load i32, ptr %aligned
  %second64 = sext i32 %second to i64
  call void @put(i64 %second64)
  ret i32 0
}
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
