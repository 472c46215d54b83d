; expect: exits 1
; expect: statuses 0
; level: -O0
; Operations on more than 128 bits that optimisers or other compilers make: intrinsics, vectors, arguments and results.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@name = private constant [3 x i8] c"in\00"
@number = global i144 -2, align 8
@list = constant { i8, i200, [2 x i136] } { i8 1, i200 1267650600228229401496703205376, [2 x i136] [i136 -1, i136 5] }

declare void @klee_make_symbolic(ptr, i64, ptr)
declare void @abort() noreturn
declare i144 @llvm.bswap.i144(i144)
declare i144 @llvm.bitreverse.i144(i144)
declare i256 @llvm.fshr.i256(i256, i256, i256)
declare i144 @llvm.fshr.i144(i144, i144, i144)
declare i144 @llvm.sadd.sat.i144(i144, i144)
declare i144 @llvm.ssub.sat.i144(i144, i144)
declare i8 @llvm.scmp.i8.i144(i144, i144)
declare i8 @llvm.ucmp.i8.i144(i144, i144)
declare { i144, i1 } @llvm.umul.with.overflow.i144(i144, i144)
declare { i144, i1 } @llvm.smul.with.overflow.i144(i144, i144)

define internal void @check(i1 %fine) {
  br i1 %fine, label %good, label %bad
good:
  ret void
bad:
  call void @abort()
  unreachable
}

define internal { i136, i8, i300 } @several(i8 %small, i136 %wide, i300 %wider) {
  %a = insertvalue { i136, i8, i300 } undef, i136 %wide, 0
  %b = insertvalue { i136, i8, i300 } %a, i300 %wider, 2
  %c = insertvalue { i136, i8, i300 } %b, i8 %small, 1
  ret { i136, i8, i300 } %c
}

define i32 @main() {
entry:
  %in = alloca [18 x i8], align 8
  call void @klee_make_symbolic(ptr %in, i64 18, ptr @name)
  %x = load i144, ptr %in, align 8
  %low = trunc i144 %x to i8
  %top = lshr i144 %x, 136

  ; bytes and bits reversed
  %swapped = call i144 @llvm.bswap.i144(i144 %x)
  %swapped.low = and i144 %swapped, 255
  %s1 = icmp eq i144 %swapped.low, %top
  call void @check(i1 %s1)
  %back = call i144 @llvm.bswap.i144(i144 %swapped)
  %s2 = icmp eq i144 %back, %x
  call void @check(i1 %s2)
  %reversed = call i144 @llvm.bitreverse.i144(i144 %x)
  %sign = icmp slt i144 %reversed, 0
  %odd = trunc i144 %x to i1
  %s3 = icmp eq i1 %sign, %odd
  call void @check(i1 %s3)

  ; a vector of the same bits
  %bytes = bitcast i144 %x to <18 x i8>
  %second = extractelement <18 x i8> %bytes, i32 17
  %top8 = trunc i144 %top to i8
  %v1 = icmp eq i8 %second, %top8
  call void @check(i1 %v1)
  %changed = insertelement <18 x i8> %bytes, i8 0, i32 17
  %joined = bitcast <18 x i8> %changed to i144
  %cleared = shl i144 %x, 8
  %cleared2 = lshr i144 %cleared, 8
  %v2 = icmp eq i144 %joined, %cleared2
  call void @check(i1 %v2)
  %words = bitcast i144 %x to <3 x i48>
  %word = extractelement <3 x i48> %words, i32 1
  %shifted = lshr i144 %x, 48
  %word2 = trunc i144 %shifted to i48
  %v3 = icmp eq i48 %word, %word2
  call void @check(i1 %v3)

  ; rotation
  %rotated = call i144 @llvm.fshr.i144(i144 %x, i144 %x, i144 152)
  %right = lshr i144 %x, 8
  %left = shl i144 %x, 136
  %both = or i144 %right, %left
  %r1 = icmp eq i144 %rotated, %both
  call void @check(i1 %r1)
  %n = zext i8 %low to i256
  %wide = zext i144 %x to i256
  %turned = call i256 @llvm.fshr.i256(i256 0, i256 %wide, i256 %n)
  %plain = lshr i256 %wide, %n
  %r2 = icmp eq i256 %turned, %plain
  call void @check(i1 %r2)

  ; saturation: the largest number is 2^143 - 1
  %sum = call i144 @llvm.sadd.sat.i144(i144 11150372599265311570767859136324180752990207, i144 1)
  %t1 = icmp eq i144 %sum, 11150372599265311570767859136324180752990207
  call void @check(i1 %t1)
  %difference = call i144 @llvm.ssub.sat.i144(i144 -11150372599265311570767859136324180752990208, i144 %top)
  %t2 = icmp eq i144 %difference, -11150372599265311570767859136324180752990208
  call void @check(i1 %t2)

  ; three-way comparison
  %byte = zext i8 %low to i144
  %less = sub i144 %byte, 256
  %c1 = call i8 @llvm.scmp.i8.i144(i144 %less, i144 0)
  %c2 = call i8 @llvm.ucmp.i8.i144(i144 %less, i144 0)
  %c3 = call i8 @llvm.scmp.i8.i144(i144 %x, i144 %x)
  %c4 = sub i8 %c2, %c1
  %c5 = add i8 %c4, %c3
  %c6 = icmp eq i8 %c5, 2
  call void @check(i1 %c6)

  ; products: 2^100 times 2^43 fits unsigned only, 2^100 times 2^44 not at all
  %p1 = call { i144, i1 } @llvm.umul.with.overflow.i144(i144 1267650600228229401496703205376, i144 8796093022208)
  %p2 = extractvalue { i144, i1 } %p1, 1
  %p3 = xor i1 %p2, true
  call void @check(i1 %p3)
  %p4 = call { i144, i1 } @llvm.smul.with.overflow.i144(i144 1267650600228229401496703205376, i144 8796093022208)
  %p5 = extractvalue { i144, i1 } %p4, 1
  call void @check(i1 %p5)
  %p6 = call { i144, i1 } @llvm.smul.with.overflow.i144(i144 1267650600228229401496703205376, i144 -8796093022208)
  %p7 = extractvalue { i144, i1 } %p6, 1
  %p8 = xor i1 %p7, true
  call void @check(i1 %p8)
  %p9 = extractvalue { i144, i1 } %p6, 0
  %p10 = icmp eq i144 %p9, -11150372599265311570767859136324180752990208
  call void @check(i1 %p10)
  %p11 = call { i144, i1 } @llvm.umul.with.overflow.i144(i144 1267650600228229401496703205376, i144 17592186044416)
  %p12 = extractvalue { i144, i1 } %p11, 1
  call void @check(i1 %p12)

  ; constants in memory, and arguments and results of several parts
  %old = load i144, ptr @number, align 8
  %sum2 = add i144 %old, 2
  store i144 %sum2, ptr @number, align 8
  %n1 = icmp eq i144 %sum2, 0
  call void @check(i1 %n1)
  %address = getelementptr { i8, i200, [2 x i136] }, ptr @list, i32 0, i32 1
  %power = load i200, ptr %address, align 8
  %address2 = getelementptr { i8, i200, [2 x i136] }, ptr @list, i32 0, i32 2, i32 0
  %minus = load i136, ptr %address2, align 8
  %wider = sext i136 %minus to i300
  %all = call { i136, i8, i300 } @several(i8 %low, i136 %minus, i300 %wider)
  %low2 = extractvalue { i136, i8, i300 } %all, 1
  %q1 = icmp eq i8 %low, %low2
  call void @check(i1 %q1)
  %wider2 = extractvalue { i136, i8, i300 } %all, 2
  %frozen = freeze i300 %wider2
  %zero = add i300 %frozen, 1
  %q2 = icmp eq i300 %zero, 0
  call void @check(i1 %q2)
  %exponent = lshr i200 %power, 100
  %q3 = icmp eq i200 %exponent, 1
  call void @check(i1 %q3)
  %pointer = ptrtoint ptr @number to i192
  %next = add i192 %pointer, 2
  %inside = inttoptr i192 %next to ptr
  store i8 7, ptr %inside
  %again = load i144, ptr @number, align 8
  %q4 = icmp eq i144 %again, 458752
  call void @check(i1 %q4)
  br label %loop

loop:
  %i = phi i200 [ 5, %entry ], [ %next.i, %loop ]
  %other = phi i200 [ %power, %entry ], [ %i, %loop ]
  %next.i = sub i200 %i, 1
  %more = icmp ugt i200 %next.i, 0
  br i1 %more, label %loop, label %end

end:
  %last = icmp eq i200 %other, 2
  call void @check(i1 %last)
  ret i32 0
}
