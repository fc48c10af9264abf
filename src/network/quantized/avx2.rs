//! The integers by AVX2; a register holds a block. All unsafe code of the network is in this file.
//!
//! The functions below may be called if the processor has AVX2; an [`Avx2`] proves that.

use std::arch::x86_64::*;

use super::layout::{Block, FeatureTransformer, HiddenLayer, OutputLayer, SumBlock};
use super::{Quantized, UNIT_BITS, ViewSums, portable};
use crate::network::Activation;

/// Proof that this processor has AVX2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Avx2(());

impl Avx2 {
    /// Returns the proof if this processor has AVX2.
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    /// As [`portable::update`].
    #[inline]
    pub fn update(
        self,
        layer: &FeatureTransformer,
        before: &[Block],
        after: &mut [Block],
        on: &[u16],
        off: &[u16],
    ) {
        // SAFETY: `self` proves that the processor has AVX2, the only requirement.
        unsafe { update(layer, before, after, on, off) }
    }

    /// As [`portable::propagate`].
    #[inline]
    pub fn propagate<const N: usize>(
        self,
        network: &Quantized,
        sums: ViewSums,
        bucket: usize,
    ) -> i32 {
        // SAFETY: `self` proves that the processor has AVX2, the only requirement.
        unsafe { propagate::<N>(network, sums, bucket) }
    }
}

/// The plain code, which the compiler vectorises with AVX2 here.
#[target_feature(enable = "avx2")]
fn update(
    layer: &FeatureTransformer,
    before: &[Block],
    after: &mut [Block],
    on: &[u16],
    off: &[u16],
) {
    portable::update(layer, before, after, on, off);
}

#[target_feature(enable = "avx2")]
fn propagate<const N: usize>(network: &Quantized, sums: ViewSums, bucket: usize) -> i32 {
    let mut units = [Block::default(); N];
    let bits = network.transformer.bits;
    let one = _mm256_set1_epi16(1 << bits);
    let shift = _mm_cvtsi32_si128((UNIT_BITS + 1 - bits) as i32);
    let mut inputs = 0;
    for view in sums {
        for (unit, sum) in units[inputs..].iter_mut().zip(view) {
            let positive = _mm256_max_epi16(load(sum), _mm256_setzero_si256());
            let value = _mm256_sll_epi16(_mm256_min_epi16(positive, one), shift);
            store(unit, activate(value, network.activation));
        }
        inputs += view.len();
    }
    for layer in &network.hidden {
        let mut next = [Block::default(); N];
        hidden(layer, &units[..inputs], network.activation, &mut next);
        units = next;
        inputs = layer.outputs.len();
    }
    logit(&network.output, &units, bucket)
}

#[target_feature(enable = "avx2")]
#[inline]
fn activate(value: __m256i, activation: Activation) -> __m256i {
    match activation {
        Activation::CRelu => _mm256_srai_epi16::<1>(value),
        // (value² + 2^14) >> 15.
        Activation::ScRelu => _mm256_mulhrs_epi16(value, value),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn hidden(layer: &HiddenLayer, inputs: &[Block], activation: Activation, units: &mut [Block]) {
    let one = _mm256_set1_epi32(1 << (UNIT_BITS + layer.bits));
    let shift = _mm_cvtsi32_si128(layer.bits as i32 - 1);
    for (output, unit) in layer.outputs.iter().zip(units) {
        let mut low = load_sums(&output.bias[0]);
        let mut high = load_sums(&output.bias[1]);
        for (block, pairs) in inputs.iter().zip(&output.inputs) {
            for (&[first, second], halves) in block.0.as_chunks::<2>().0.iter().zip(pairs) {
                let pair = i32::from(first) & 0xffff | i32::from(second) << 16;
                let pair = _mm256_set1_epi32(pair);
                low = _mm256_add_epi32(low, _mm256_madd_epi16(pair, load(&halves[0])));
                high = _mm256_add_epi32(high, _mm256_madd_epi16(pair, load(&halves[1])));
            }
        }
        let low = _mm256_srl_epi32(clamp(low, one), shift);
        let high = _mm256_srl_epi32(clamp(high, one), shift);
        // Packing works by halves of registers: exchange the middle quarters.
        let packed = _mm256_packs_epi32(low, high);
        let value = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        store(unit, activate(value, activation));
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn clamp(sums: __m256i, one: __m256i) -> __m256i {
    _mm256_min_epi32(_mm256_max_epi32(sums, _mm256_setzero_si256()), one)
}

#[target_feature(enable = "avx2")]
#[inline]
fn logit(layer: &OutputLayer, units: &[Block], bucket: usize) -> i32 {
    let mut sums = _mm256_setzero_si256();
    for (unit, weights) in units.iter().zip(layer.row(bucket)) {
        sums = _mm256_add_epi32(sums, _mm256_madd_epi16(load(unit), load(weights)));
    }
    let halves = _mm_add_epi32(
        _mm256_castsi256_si128(sums),
        _mm256_extracti128_si256::<1>(sums),
    );
    let pairs = _mm_add_epi32(halves, _mm_shuffle_epi32::<0b00_00_11_10>(halves));
    let all = _mm_add_epi32(pairs, _mm_shuffle_epi32::<0b00_00_00_01>(pairs));
    layer.bias[bucket] + _mm_cvtsi128_si32(all)
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(block: &Block) -> __m256i {
    // SAFETY: a block is 32 bytes long and aligned to 32.
    unsafe { _mm256_load_si256(std::ptr::from_ref(block).cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_sums(sums: &SumBlock) -> __m256i {
    // SAFETY: eight sums are 32 bytes long and aligned to 32.
    unsafe { _mm256_load_si256(std::ptr::from_ref(sums).cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store(block: &mut Block, value: __m256i) {
    // SAFETY: a block is 32 bytes long and aligned to 32.
    unsafe { _mm256_store_si256(std::ptr::from_mut(block).cast(), value) }
}
