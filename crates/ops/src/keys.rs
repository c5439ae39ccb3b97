//! Keys in the order of their times.

use scene::{Channel, Interpolation};

/// Leaves out keys whose times are not finite or do not grow; the second of two at the same time comes the smallest
/// moment later. Says how many keys that changed. A track without as many values as keys stays as it is.
pub fn make_channel_times_grow(channel: &mut Channel) -> u64 {
    let per_key = if channel.interpolation == Interpolation::Cubic { 3 } else { 1 };
    let stride = channel.width() * per_key;
    let whole = stride > 0 && channel.times.len().checked_mul(stride) == Some(channel.values.len());
    if whole { make_times_grow(&mut channel.times, &mut channel.values, stride) } else { 0 }
}

/// The same for bare keys with so many numbers each.
pub fn make_times_grow(times: &mut Vec<f32>, values: &mut Vec<f32>, stride: usize) -> u64 {
    let mut changed = 0;
    let mut kept = 0;
    let (mut last, mut stored) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for key in 0..times.len() {
        let time = times[key];
        // A jump: the next moment is as good as the same.
        let now = if time == stored { last.next_up() } else { time };
        let fits = now.is_finite() && now > last;
        changed += u64::from(!fits || now != time);
        if fits {
            (times[kept], last, stored) = (now, now, time);
            values.copy_within(key * stride..(key + 1) * stride, kept * stride);
            kept += 1;
        }
    }
    if let Some(first) = times.first_mut().filter(|_| kept == 0) {
        (*first, kept) = (0., 1);
    }
    times.truncate(kept);
    values.truncate(kept * stride);
    changed
}
