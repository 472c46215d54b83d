; expect: exits 1
; expect: statuses 0
; level: -O0
; Atomic operations, saturating shifts and funnel shifts by what is not known, on more than 128 bits.

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@cell = global i256 0, align 32

declare void @abort() noreturn
declare i144 @llvm.ushl.sat.i144(i144, i144)
declare i144 @llvm.sshl.sat.i144(i144, i144)
declare i144 @llvm.fshl.i144(i144, i144, i144)
declare i144 @llvm.fshr.i144(i144, i144, i144)

define internal void @check(i1 %fine) {
  br i1 %fine, label %good, label %bad
good:
  ret void
bad:
  call void @abort()
  unreachable
}

define internal void @updates(i256 %source) {
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.0 = atomicrmw xchg ptr @cell, i256 %source seq_cst
  %was.0 = icmp eq i256 %old.0, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.0)
  %new.0 = load atomic i256, ptr @cell acquire, align 32
  %is.0 = icmp eq i256 %new.0, 5427754182999196660479889922282245680622030531201901439349574250370927951881
  call void @check(i1 %is.0)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.1 = atomicrmw add ptr @cell, i256 %source seq_cst
  %was.1 = icmp eq i256 %old.1, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.1)
  %new.1 = load atomic i256, ptr @cell acquire, align 32
  %is.1 = icmp eq i256 %new.1, 5427754182999204695170111217233623390432492237014914050364543164335104458768
  call void @check(i1 %is.1)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.2 = atomicrmw sub ptr @cell, i256 %source seq_cst
  %was.2 = icmp eq i256 %old.2, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.2)
  %new.2 = load atomic i256, ptr @cell acquire, align 32
  %is.2 = icmp eq i256 %new.2, -5427754182999188625789668627330867970811568825388888828334605336406751444994
  call void @check(i1 %is.2)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.3 = atomicrmw and ptr @cell, i256 %source seq_cst
  %was.3 = icmp eq i256 %old.3, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.3)
  %new.3 = load atomic i256, ptr @cell acquire, align 32
  %is.3 = icmp eq i256 %new.3, 1
  call void @check(i1 %is.3)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.4 = atomicrmw nand ptr @cell, i256 %source seq_cst
  %was.4 = icmp eq i256 %old.4, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.4)
  %new.4 = load atomic i256, ptr @cell acquire, align 32
  %is.4 = icmp eq i256 %new.4, -2
  call void @check(i1 %is.4)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.5 = atomicrmw or ptr @cell, i256 %source seq_cst
  %was.5 = icmp eq i256 %old.5, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.5)
  %new.5 = load atomic i256, ptr @cell acquire, align 32
  %is.5 = icmp eq i256 %new.5, 5427754182999204695170111217233623390432492237014914050364543164335104458767
  call void @check(i1 %is.5)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.6 = atomicrmw xor ptr @cell, i256 %source seq_cst
  %was.6 = icmp eq i256 %old.6, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.6)
  %new.6 = load atomic i256, ptr @cell acquire, align 32
  %is.6 = icmp eq i256 %new.6, 5427754182999204695170111217233623390432492237014914050364543164335104458766
  call void @check(i1 %is.6)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.7 = atomicrmw max ptr @cell, i256 %source seq_cst
  %was.7 = icmp eq i256 %old.7, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.7)
  %new.7 = load atomic i256, ptr @cell acquire, align 32
  %is.7 = icmp eq i256 %new.7, 5427754182999196660479889922282245680622030531201901439349574250370927951881
  call void @check(i1 %is.7)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.8 = atomicrmw min ptr @cell, i256 %source seq_cst
  %was.8 = icmp eq i256 %old.8, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.8)
  %new.8 = load atomic i256, ptr @cell acquire, align 32
  %is.8 = icmp eq i256 %new.8, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %is.8)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.9 = atomicrmw umax ptr @cell, i256 %source seq_cst
  %was.9 = icmp eq i256 %old.9, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.9)
  %new.9 = load atomic i256, ptr @cell acquire, align 32
  %is.9 = icmp eq i256 %new.9, 5427754182999196660479889922282245680622030531201901439349574250370927951881
  call void @check(i1 %is.9)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.10 = atomicrmw umin ptr @cell, i256 %source seq_cst
  %was.10 = icmp eq i256 %old.10, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.10)
  %new.10 = load atomic i256, ptr @cell acquire, align 32
  %is.10 = icmp eq i256 %new.10, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %is.10)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.11 = atomicrmw uinc_wrap ptr @cell, i256 %source seq_cst
  %was.11 = icmp eq i256 %old.11, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.11)
  %new.11 = load atomic i256, ptr @cell acquire, align 32
  %is.11 = icmp eq i256 %new.11, 8034690221294951377709810461705813012611014968913964176506888
  call void @check(i1 %is.11)
  store i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell
  %old.12 = atomicrmw udec_wrap ptr @cell, i256 %source seq_cst
  %was.12 = icmp eq i256 %old.12, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %was.12)
  %new.12 = load atomic i256, ptr @cell acquire, align 32
  %is.12 = icmp eq i256 %new.12, 8034690221294951377709810461705813012611014968913964176506886
  call void @check(i1 %is.12)
  ret void
}

define internal void @exchanges(i256 %expected) {
  store atomic i256 8034690221294951377709810461705813012611014968913964176506887, ptr @cell release, align 32
  %first = cmpxchg ptr @cell, i256 %expected, i256 -1 seq_cst seq_cst
  %value = extractvalue { i256, i1 } %first, 0
  %same = icmp eq i256 %value, 8034690221294951377709810461705813012611014968913964176506887
  call void @check(i1 %same)
  %done = extractvalue { i256, i1 } %first, 1
  call void @check(i1 %done)
  %second = cmpxchg ptr @cell, i256 %expected, i256 5 seq_cst seq_cst
  %now = extractvalue { i256, i1 } %second, 0
  %is = icmp eq i256 %now, -1
  call void @check(i1 %is)
  %again = extractvalue { i256, i1 } %second, 1
  %failed = xor i1 %again, true
  call void @check(i1 %failed)
  %last = load i256, ptr @cell
  %kept = icmp eq i256 %last, -1
  call void @check(i1 %kept)
  ret void
}

define internal void @shifts(i144 %n) {
  %amount.0 = add i144 %n, 0
  %r.0 = call i144 @llvm.ushl.sat.i144(i144 5, i144 %amount.0)
  %c.0 = icmp eq i144 %r.0, 40
  call void @check(i1 %c.0)
  %amount.1 = add i144 %n, 139
  %r.1 = call i144 @llvm.ushl.sat.i144(i144 5, i144 %amount.1)
  %c.1 = icmp eq i144 %r.1, -1
  call void @check(i1 %c.1)
  %amount.2 = add i144 %n, 138
  %r.2 = call i144 @llvm.ushl.sat.i144(i144 5, i144 %amount.2)
  %c.2 = icmp eq i144 %r.2, -8362779449448983678075894352243135564742656
  call void @check(i1 %c.2)
  %amount.3 = add i144 %n, 140
  %r.3 = call i144 @llvm.ushl.sat.i144(i144 1, i144 %amount.3)
  %c.3 = icmp eq i144 %r.3, -11150372599265311570767859136324180752990208
  call void @check(i1 %c.3)
  %amount.4 = add i144 %n, -2
  %r.4 = call i144 @llvm.ushl.sat.i144(i144 -1, i144 %amount.4)
  %c.4 = icmp eq i144 %r.4, -1
  call void @check(i1 %c.4)
  %amount.5 = add i144 %n, 97
  %r.5 = call i144 @llvm.ushl.sat.i144(i144 0, i144 %amount.5)
  %c.5 = icmp eq i144 %r.5, 0
  call void @check(i1 %c.5)
  %amount.6 = add i144 %n, 40
  %r.6 = call i144 @llvm.ushl.sat.i144(i144 1267650600228229401496703205376, i144 %amount.6)
  %c.6 = icmp eq i144 %r.6, -11150372599265311570767859136324180752990208
  call void @check(i1 %c.6)
  %amount.7 = add i144 %n, 41
  %r.7 = call i144 @llvm.ushl.sat.i144(i144 1267650600228229401496703205376, i144 %amount.7)
  %c.7 = icmp eq i144 %r.7, -1
  call void @check(i1 %c.7)
  %amount.8 = add i144 %n, 0
  %r.8 = call i144 @llvm.sshl.sat.i144(i144 5, i144 %amount.8)
  %c.8 = icmp eq i144 %r.8, 40
  call void @check(i1 %c.8)
  %amount.9 = add i144 %n, 138
  %r.9 = call i144 @llvm.sshl.sat.i144(i144 -5, i144 %amount.9)
  %c.9 = icmp eq i144 %r.9, -11150372599265311570767859136324180752990208
  call void @check(i1 %c.9)
  %amount.10 = add i144 %n, 137
  %r.10 = call i144 @llvm.sshl.sat.i144(i144 -5, i144 %amount.10)
  %c.10 = icmp eq i144 %r.10, -6968982874540819731729911960202612970618880
  call void @check(i1 %c.10)
  %amount.11 = add i144 %n, 139
  %r.11 = call i144 @llvm.sshl.sat.i144(i144 1, i144 %amount.11)
  %c.11 = icmp eq i144 %r.11, 5575186299632655785383929568162090376495104
  call void @check(i1 %c.11)
  %amount.12 = add i144 %n, 140
  %r.12 = call i144 @llvm.sshl.sat.i144(i144 1, i144 %amount.12)
  %c.12 = icmp eq i144 %r.12, 11150372599265311570767859136324180752990207
  call void @check(i1 %c.12)
  %amount.13 = add i144 %n, 140
  %r.13 = call i144 @llvm.sshl.sat.i144(i144 -1, i144 %amount.13)
  %c.13 = icmp eq i144 %r.13, -11150372599265311570767859136324180752990208
  call void @check(i1 %c.13)
  %amount.14 = add i144 %n, 17
  %r.14 = call i144 @llvm.sshl.sat.i144(i144 -1, i144 %amount.14)
  %c.14 = icmp eq i144 %r.14, -1048576
  call void @check(i1 %c.14)
  %amount.15 = add i144 %n, 97
  %r.15 = call i144 @llvm.sshl.sat.i144(i144 0, i144 %amount.15)
  %c.15 = icmp eq i144 %r.15, 0
  call void @check(i1 %c.15)
  %amount.16 = add i144 %n, 40
  %r.16 = call i144 @llvm.sshl.sat.i144(i144 -1267650600228229401496703205376, i144 %amount.16)
  %c.16 = icmp eq i144 %r.16, -11150372599265311570767859136324180752990208
  call void @check(i1 %c.16)
  %amount.17 = add i144 %n, 41
  %r.17 = call i144 @llvm.sshl.sat.i144(i144 -1267650600228229401496703205376, i144 %amount.17)
  %c.17 = icmp eq i144 %r.17, -11150372599265311570767859136324180752990208
  call void @check(i1 %c.17)
  %amount.18 = add i144 %n, -3
  %r.18 = call i144 @llvm.fshl.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.18)
  %c.18 = icmp eq i144 %r.18, 99114423104580546000820425535656579563597
  call void @check(i1 %c.18)
  %amount.19 = add i144 %n, -3
  %r.19 = call i144 @llvm.fshr.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.19)
  %c.19 = icmp eq i144 %r.19, 20192265560968471789312944373765
  call void @check(i1 %c.19)
  %amount.20 = add i144 %n, -2
  %r.20 = call i144 @llvm.fshl.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.20)
  %c.20 = icmp eq i144 %r.20, 198228846209161092001640851071313159127194
  call void @check(i1 %c.20)
  %amount.21 = add i144 %n, -2
  %r.21 = call i144 @llvm.fshr.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.21)
  %c.21 = icmp eq i144 %r.21, -11150372599255215437987374900429524280803326
  call void @check(i1 %c.21)
  %amount.22 = add i144 %n, 60
  %r.22 = call i144 @llvm.fshl.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.22)
  %c.22 = icmp eq i144 %r.22, -11150372599265311570767148936677342926901667
  call void @check(i1 %c.22)
  %amount.23 = add i144 %n, 60
  %r.23 = call i144 @llvm.fshr.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.23)
  %c.23 = icmp eq i144 %r.23, 186174576220655082154569964
  call void @check(i1 %c.23)
  %amount.24 = add i144 %n, 61
  %r.24 = call i144 @llvm.fshl.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.24)
  %c.24 = icmp eq i144 %r.24, 1420399293675652177082
  call void @check(i1 %c.24)
  %amount.25 = add i144 %n, 61
  %r.25 = call i144 @llvm.fshr.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.25)
  %c.25 = icmp eq i144 %r.25, 93087288110327541077284982
  call void @check(i1 %c.25)
  %amount.26 = add i144 %n, 62
  %r.26 = call i144 @llvm.fshl.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.26)
  %c.26 = icmp eq i144 %r.26, 2840798587351304354165
  call void @check(i1 %c.26)
  %amount.27 = add i144 %n, 62
  %r.27 = call i144 @llvm.fshr.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.27)
  %c.27 = icmp eq i144 %r.27, 46543644055163770538642491
  call void @check(i1 %c.27)
  %amount.28 = add i144 %n, 140
  %r.28 = call i144 @llvm.fshl.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.28)
  %c.28 = icmp eq i144 %r.28, -11150372599255215437987374900429524280803326
  call void @check(i1 %c.28)
  %amount.29 = add i144 %n, 140
  %r.29 = call i144 @llvm.fshr.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.29)
  %c.29 = icmp eq i144 %r.29, 198228846209161092001640851071313159127194
  call void @check(i1 %c.29)
  %amount.30 = add i144 %n, 141
  %r.30 = call i144 @llvm.fshl.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.30)
  %c.30 = icmp eq i144 %r.30, 99114423104580546000820425535656579563597
  call void @check(i1 %c.30)
  %amount.31 = add i144 %n, 141
  %r.31 = call i144 @llvm.fshr.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.31)
  %c.31 = icmp eq i144 %r.31, 20192265560968471789312944373765
  call void @check(i1 %c.31)
  %amount.32 = add i144 %n, 142
  %r.32 = call i144 @llvm.fshl.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.32)
  %c.32 = icmp eq i144 %r.32, 198228846209161092001640851071313159127194
  call void @check(i1 %c.32)
  %amount.33 = add i144 %n, 142
  %r.33 = call i144 @llvm.fshr.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.33)
  %c.33 = icmp eq i144 %r.33, -11150372599255215437987374900429524280803326
  call void @check(i1 %c.33)
  %amount.34 = add i144 %n, 297
  %r.34 = call i144 @llvm.fshl.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.34)
  %c.34 = icmp eq i144 %r.34, 4559263462810699871717534086378842784845824
  call void @check(i1 %c.34)
  %amount.35 = add i144 %n, 297
  %r.35 = call i144 @llvm.fshr.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.35)
  %c.35 = icmp eq i144 %r.35, 419227876046601116739211737174246374244352
  call void @check(i1 %c.35)
  %amount.36 = add i144 %n, -11150372599265311570767859136324180752990204
  %r.36 = call i144 @llvm.fshl.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.36)
  %c.36 = icmp eq i144 %r.36, -3667234366744917992529707826609847200120832
  call void @check(i1 %c.36)
  %amount.37 = add i144 %n, -11150372599265311570767859136324180752990204
  %r.37 = call i144 @llvm.fshr.i144(i144 99114423104580546000820425535656579563597, i144 20192265560968471789312944373765, i144 %amount.37)
  %c.37 = icmp eq i144 %r.37, 3123491078962393974804965683625984
  call void @check(i1 %c.37)
  ret void
}

define i32 @main() {
  call void @updates(i256 5427754182999196660479889922282245680622030531201901439349574250370927951881)
  call void @exchanges(i256 8034690221294951377709810461705813012611014968913964176506887)
  call void @shifts(i144 3)
  ret i32 0
}
