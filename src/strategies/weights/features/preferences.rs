//! Description of a vector of weights: its preferred and avoided features.

use super::weights::Weights;
use std::fmt;

/// Maximum number of features named on either side.
const NAMED: usize = 5;

/// Features with the largest and the smallest weights, strongest first; at most five of each.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Preferences {
    /// Features with weights above 0.
    pub prefers: Vec<(&'static str, f64)>,
    /// Features with weights below 0.
    pub avoids: Vec<(&'static str, f64)>,
}

impl Preferences {
    pub fn of<R>(weights: &Weights<R>) -> Self {
        let values = weights.values().iter().copied();
        let mut named: Vec<(&'static str, f64)> = weights.set().names().zip(values).collect();
        // The sort is stable: of equal weights the first row's comes first.
        named.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let of_sign = |sign: f64| {
            let strongest = named.iter().filter(|(_, weight)| weight * sign > 0.0);
            strongest.take(NAMED).copied().collect()
        };
        Self {
            prefers: of_sign(1.0),
            avoids: of_sign(-1.0),
        }
    }
}

fn list(named: &[(&'static str, f64)]) -> String {
    let texts = named
        .iter()
        .map(|(name, weight)| format!("{name} ({weight:+.2})"));
    let texts: Vec<String> = texts.collect();
    if texts.is_empty() {
        "nothing".to_string()
    } else {
        texts.join(", ")
    }
}

impl fmt::Display for Preferences {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (prefers, avoids) = (list(&self.prefers), list(&self.avoids));
        write!(out, "prefers {prefers}; avoids {avoids}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BRANCH, Weights};
    use super::*;

    #[test]
    fn the_strongest_five_of_either_sign_are_named() {
        let mut values = vec![0.0; 40];
        for (index, value) in [(0, 1.0), (3, -7.5), (9, 6.0), (10, 6.0), (20, 2.0)] {
            values[index] = value;
        }
        for (index, value) in [(21, 0.5), (22, 0.25), (23, -0.125)] {
            values[index] = value;
        }
        let texts = Preferences::of(&Weights::new(&BRANCH, values).unwrap());
        assert_eq!(
            texts.to_string(),
            "prefers in the body of a loop (+6.00), true branch of a case (+6.00), context of 3 \
             seen (+2.00), in main (+1.00), context of 4 seen (+0.50); avoids nested (-7.50), \
             negated more than 10 times (-0.12)"
        );
        let nothing = Preferences::of(&Weights::zeros(&BRANCH));
        assert_eq!(nothing.to_string(), "prefers nothing; avoids nothing");
    }
}
