//! The memory of an engine, counted and bounded.
//!
//! QuickJS reports a failed allocation as an exception that a script can catch. Here the first allocation over the limit marks the run as exhausted,
//! which the engine's interrupt handler turns into an end that nothing catches. Until then small allocations still succeed, from a reserve.

#![allow(
    unsafe_code,
    reason = "the allocator trait of the engine is unsafe; every pointer goes to its RustAllocator unchanged"
)]

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use rquickjs::allocator::{Allocator, RustAllocator};

/// Allocations above this size fail at the limit itself.
const SMALL: usize = 16 << 10;
/// Bytes above the limit for small allocations, until the interrupt.
const RESERVE: usize = 32 << 20;

/// The counter of one engine. Only the engine's thread writes it.
#[derive(Debug)]
pub(crate) struct Memory {
    used: AtomicUsize,
    limit: usize,
    exhausted: AtomicBool,
}

impl Memory {
    pub fn new(limit: usize) -> Arc<Self> {
        Arc::new(Self { used: AtomicUsize::new(0), limit, exhausted: AtomicBool::new(false) })
    }

    /// The limit was reached.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted.load(Relaxed)
    }

    /// Counts bytes outside the engine that belong to the script: arguments of calls under way.
    pub fn add(&self, bytes: usize) {
        let used = self.used.load(Relaxed).saturating_add(bytes);
        self.used.store(used, Relaxed);
        if used > self.limit {
            self.exhausted.store(true, Relaxed);
        }
    }

    /// Takes such bytes off the count.
    pub fn subtract(&self, bytes: usize) {
        self.used.store(self.used.load(Relaxed).saturating_sub(bytes), Relaxed);
    }

    /// Tells whether an allocation of this size fits, and marks the run as exhausted where it is over the limit.
    fn admits(&self, size: usize) -> bool {
        let wanted = self.used.load(Relaxed).saturating_add(size);
        if wanted <= self.limit {
            return true;
        }
        self.exhausted.store(true, Relaxed);
        size <= SMALL && wanted <= self.limit.saturating_add(RESERVE)
    }
}

/// The allocator of one engine.
pub(crate) struct BoundedAllocator(pub Arc<Memory>);

impl BoundedAllocator {
    fn counted(&self, pointer: *mut u8) -> *mut u8 {
        if !pointer.is_null() {
            // SAFETY: the pointer comes from `RustAllocator`.
            self.0.add(unsafe { RustAllocator::usable_size(pointer) });
        }
        pointer
    }
}

// SAFETY: each method gives its pointer to `RustAllocator`, which fulfils the contract, or returns null.
unsafe impl Allocator for BoundedAllocator {
    fn alloc(&mut self, size: usize) -> *mut u8 {
        if self.0.admits(size) { self.counted(RustAllocator.alloc(size)) } else { ptr::null_mut() }
    }

    fn calloc(&mut self, count: usize, size: usize) -> *mut u8 {
        match count.checked_mul(size) {
            Some(total) if self.0.admits(total) => self.counted(RustAllocator.calloc(count, size)),
            _ => ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&mut self, pointer: *mut u8) {
        // SAFETY: the caller's pointer is one of `RustAllocator`.
        unsafe {
            self.0.subtract(RustAllocator::usable_size(pointer));
            RustAllocator.dealloc(pointer);
        }
    }

    unsafe fn realloc(&mut self, pointer: *mut u8, new_size: usize) -> *mut u8 {
        if pointer.is_null() {
            return self.alloc(new_size);
        }
        // SAFETY: the caller's pointer is one of `RustAllocator`. Where null is returned, the old block stays valid.
        unsafe {
            let before = RustAllocator::usable_size(pointer);
            if new_size > before && !self.0.admits(new_size - before) {
                return ptr::null_mut();
            }
            let moved = RustAllocator.realloc(pointer, new_size);
            if moved.is_null() {
                return moved;
            }
            self.0.subtract(before);
            self.counted(moved)
        }
    }

    unsafe fn usable_size(pointer: *mut u8) -> usize {
        // SAFETY: the caller's pointer is one of `RustAllocator`.
        unsafe { RustAllocator::usable_size(pointer) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_allocation_over_the_limit_fails() {
        let memory = Memory::new(100_000);
        let mut allocator = BoundedAllocator(memory.clone());
        assert!(allocator.alloc(200_000).is_null() && memory.is_exhausted());
    }

    #[test]
    fn freed_bytes_count_no_more() {
        let memory = Memory::new(100_000);
        let mut allocator = BoundedAllocator(memory.clone());
        for _ in 0..10 {
            let block = allocator.alloc(60_000);
            assert!(!block.is_null());
            // SAFETY: the block is from this allocator and freed once.
            unsafe { allocator.dealloc(block) };
        }
        assert!(!memory.is_exhausted());
    }

    #[test]
    fn small_allocations_use_the_reserve() {
        let memory = Memory::new(1_000);
        let mut allocator = BoundedAllocator(memory.clone());
        let block = allocator.alloc(2_000);
        assert!(!block.is_null() && memory.is_exhausted());
        // SAFETY: the block is from this allocator and freed once.
        unsafe { allocator.dealloc(block) };
    }
}
