; Saturating conversions to integers of more than 128 bits: no C compiler writes them, others do.
target triple = "x86_64-pc-linux-gnu"
declare i200 @llvm.fptosi.sat.i200.f64(double)
declare i200 @llvm.fptoui.sat.i200.f64(double)
declare i1200 @llvm.fptosi.sat.i1200.f64(double)
declare i256 @llvm.fptoui.sat.i256.f32(float)
@results = external global [65536 x i64]
@count = external global i64

define internal void @put(i64 %value) {
  %n = load i64, ptr @count
  %place = getelementptr i64, ptr @results, i64 %n
  store i64 %value, ptr %place
  %next = add i64 %n, 1
  store i64 %next, ptr @count
  ret void
}

define internal void @ends(i200 %value) {
  %low = trunc i200 %value to i64
  call void @put(i64 %low)
  %moved = lshr i200 %value, 136
  %high = trunc i200 %moved to i64
  call void @put(i64 %high)
  ret void
}

define internal void @both(double %x) {
  %s = call i200 @llvm.fptosi.sat.i200.f64(double %x)
  call void @ends(i200 %s)
  %u = call i200 @llvm.fptoui.sat.i200.f64(double %x)
  call void @ends(i200 %u)
  ret void
}

define i32 @test_main() {
  call void @both(double 7.75)
  call void @both(double -7.75)
  call void @both(double 0x7FF8000000000000)
  call void @both(double 0x7FF0000000000000)
  call void @both(double 0xFFF0000000000000)
  call void @both(double 0x4C60000000000000)
  call void @both(double 0x4C70000000000000)
  call void @both(double 0xCC60000000000000)
  call void @both(double 0xCC70000000000000)
  %large = call i1200 @llvm.fptosi.sat.i1200.f64(double 0x7FE0000000000000)
  %moved = lshr i1200 %large, 1000
  %word = trunc i1200 %moved to i64
  call void @put(i64 %word)
  %infinite = call i1200 @llvm.fptosi.sat.i1200.f64(double 0xFFF0000000000000)
  %top = lshr i1200 %infinite, 1136
  %topword = trunc i1200 %top to i64
  call void @put(i64 %topword)
  %f = call i256 @llvm.fptoui.sat.i256.f32(float 0x47EFFFFFE0000000)
  %fm = lshr i256 %f, 64
  %fw = trunc i256 %fm to i64
  call void @put(i64 %fw)
  ret i32 0
}
