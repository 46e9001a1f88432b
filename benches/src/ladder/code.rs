//! Bytes of machine code, from the symbol table of the running program.

use std::{collections::BTreeMap, env, fs};

use anyhow::{Context, Result};
use object::{Object, ObjectSymbol, SymbolKind};

use super::Rung;

/// The bytes of each rung with those of the functions that it calls; none where the format of
/// programs keeps no sizes, or no symbols are left, or the rung's functions are not known.
pub(super) fn bytes(rungs: &[Rung]) -> Result<Vec<Option<u64>>> {
    let path = env::current_exe().context("this program can't find itself")?;
    let program = fs::read(&path).with_context(|| format!("can't read {}", path.display()))?;
    let program = object::File::parse(&*program)
        .with_context(|| format!("can't read the symbols of {}", path.display()))?;
    let sizes: BTreeMap<u64, u64> = program
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0)
        .map(|symbol| (symbol.address(), symbol.size()))
        .collect();

    let functions: Vec<Option<Vec<u64>>> = rungs.iter().map(functions).collect();
    let known: Vec<u64> = functions.iter().flatten().flatten().copied().collect();
    let Some(distance) = distance(&sizes, &known) else { return Ok(vec![None; rungs.len()]) };
    let size = |function: &u64| sizes[&function.wrapping_sub(distance)];
    Ok(functions.iter().map(|all| all.as_ref().map(|all| all.iter().map(size).sum())).collect())
}

/// Addresses of the rung's kernel and helpers.
fn functions(rung: &Rung) -> Option<Vec<u64>> {
    let helpers = rung.helpers?.iter().map(|helper| helper());
    let functions = [rung.kernel as usize].into_iter().chain(helpers);
    Some(functions.map(|address| address as u64).collect())
}

/// How far behind the addresses of its file the program was loaded: what makes every function the
/// start of a symbol.
fn distance(sizes: &BTreeMap<u64, u64>, functions: &[u64]) -> Option<u64> {
    let first = functions.first()?;
    let fits = |distance: &u64| {
        functions.iter().all(|function| sizes.contains_key(&function.wrapping_sub(*distance)))
    };
    sizes.keys().map(|start| first.wrapping_sub(*start)).find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_the_one_that_fits_all() {
        let sizes = BTreeMap::from([(0x100, 1), (0x180, 2), (0x1c0, 3)]);
        assert_eq!(distance(&sizes, &[0x5180, 0x51c0]), Some(0x5000));
        assert_eq!(distance(&sizes, &[0x5180, 0x51c1]), None);
        assert_eq!(distance(&sizes, &[]), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn every_rung_has_its_bytes() {
        let rungs = crate::ladder::rungs();
        for (rung, bytes) in rungs.iter().zip(bytes(&rungs).unwrap()) {
            assert_eq!(bytes.is_some(), rung.helpers.is_some(), "{rung:?}");
            assert!(bytes.is_none_or(|bytes| (50..50_000).contains(&bytes)), "{rung:?}: {bytes:?}");
        }
    }
}
