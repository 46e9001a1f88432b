//! The functions of a compiled crate and which of them refer to which. No format is parsed here:
//! that is the work of the crates `object`, `iced-x86` and `rustc-demangle`.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use anyhow::{Context, Result, bail};
use iced_x86::{Decoder, DecoderOptions, Instruction};
use object::{
    Architecture, File, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget,
    Section, SectionIndex, SectionKind, SymbolKind, read::archive::ArchiveFile,
};

/// All functions of a crate that are not generic or were instantiated in it.
#[derive(Debug, Default)]
pub(crate) struct Object {
    pub(crate) functions: Vec<Function>,
}

#[derive(Debug)]
pub(crate) struct Function {
    /// As in the object.
    pub(crate) symbol: String,
    /// Each is decoded at its offset in the function.
    pub(crate) instructions: Vec<Instruction>,
    /// By the offset of the field that the linker fills in.
    references: BTreeMap<u64, Reference>,
}

/// What the linker fills in.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The function that it is the address of, if this is one of the same crate.
    pub(crate) function: Option<usize>,
    pub(crate) name: String,
}

impl Object {
    /// Reads a crate's `.rlib`, an archive of objects.
    pub(crate) fn of_rlib(archive: &[u8]) -> Result<Self> {
        let mut files = Vec::new();
        for member in ArchiveFile::parse(archive)?.members() {
            // The metadata of the crate may be something else.
            if let Ok(file) = File::parse(member?.data(archive)?) {
                files.push(file);
            }
        }
        let mut object = Self::default();
        // A symbol means the same in all objects of a crate; sections are each object's own.
        let mut by_symbol = HashMap::new();
        let mut places = Vec::new();
        for (number, file) in files.iter().enumerate() {
            for place in places_of(number, file)? {
                by_symbol.insert(place.symbol.clone(), places.len());
                places.push(place);
            }
        }
        for place in &places {
            let file = &files[place.file];
            let section = file.section_by_index(place.section)?;
            let mut references = BTreeMap::new();
            for (offset, relocation) in section.relocations() {
                if !place.range.contains(&offset) {
                    continue;
                }
                // Addresses relative to the next instruction, as those of calls are, have an
                // addend of minus the size of the field.
                let addend = relocation.addend().wrapping_add(4);
                let implicit = relocation.has_implicit_addend();
                let implicit = if implicit { field(&section, offset)? } else { 0 };
                let at = addend.wrapping_add(implicit).cast_unsigned();
                let found = match relocation.target() {
                    RelocationTarget::Symbol(symbol) => Some(file.symbol_by_index(symbol)?),
                    _ => None,
                };
                let name = found.as_ref().and_then(|symbol| symbol.name().ok()).unwrap_or_default();
                // Functions that the linker does not see are named as a place in their section.
                let in_section =
                    found.as_ref().and_then(|symbol| symbol.section_index()).and_then(|section| {
                        places.iter().position(|other| {
                            other.file == place.file
                                && other.section == section
                                && other.range.contains(&at)
                        })
                    });
                let is_section = found.is_some_and(|symbol| symbol.kind() == SymbolKind::Section);
                let function = if is_section { in_section } else { by_symbol.get(name).copied() };
                let name = demangled(function.map_or(name, |function| &places[function].symbol));
                references.insert(offset - place.range.start, Reference { function, name });
            }
            let range = to_usize(place.range.start)?..to_usize(place.range.end)?;
            let code = section.data()?.get(range);
            let code = code.with_context(|| format!("{} leaves its section", place.symbol))?;
            // Not `is_64`, which tells the class of the format: that of COFF is always 32.
            let bits = match file.architecture() {
                Architecture::X86_64 => 64,
                Architecture::I386 => 32,
                other => bail!("{other:?} can't be disassembled"),
            };
            object.functions.push(Function::decode(&place.symbol, bits, code, references));
        }
        Ok(object)
    }

    /// The functions that these reach, themselves first. Functions for which `stop` holds are
    /// neither given nor passed.
    pub(crate) fn reached(&self, from: &[usize], stop: impl Fn(&Function) -> bool) -> Vec<usize> {
        let mut reached = Vec::new();
        let mut next = from.to_vec();
        while let Some(index) = next.pop() {
            if reached.contains(&index) || stop(&self.functions[index]) {
                continue;
            }
            reached.push(index);
            // Any reference counts: a call may go through a register that was loaded before.
            let references = self.functions[index].references.values();
            next.extend(references.filter_map(|reference| reference.function));
        }
        reached
    }
}

impl Function {
    pub(crate) fn decode(
        symbol: &str,
        bits: u32,
        code: &[u8],
        references: BTreeMap<u64, Reference>,
    ) -> Self {
        let instructions = Decoder::with_ip(bits, code, 0, DecoderOptions::NONE).iter().collect();
        Self { symbol: symbol.to_owned(), instructions, references }
    }

    /// Its path in the crate, without the hash.
    pub(crate) fn name(&self) -> String {
        demangled(&self.symbol)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.instructions.last().map_or(0, Instruction::next_ip)
    }

    /// What the linker fills in within an instruction.
    pub(crate) fn reference(&self, instruction: &Instruction) -> Option<&Reference> {
        let mut references = self.references.range(instruction.ip()..instruction.next_ip());
        references.next().map(|(_, reference)| reference)
    }
}

/// Where the code of a function is.
struct Place {
    symbol: String,
    file: usize,
    section: SectionIndex,
    /// In the section.
    range: Range<u64>,
}

fn places_of(number: usize, file: &File<'_>) -> Result<Vec<Place>> {
    let mut places = Vec::new();
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let mut symbols = Vec::new();
        for symbol in file.symbols() {
            if symbol.section_index() == Some(section.index()) && symbol.kind() == SymbolKind::Text
            {
                let start = symbol.address() - section.address();
                symbols.push((start, symbol.size(), symbol.name()?.to_owned()));
            }
        }
        symbols.sort();
        // Only ELF states sizes; elsewhere a function ends where the next one starts.
        let starts: Vec<_> = symbols.iter().map(|(start, ..)| *start).collect();
        for (start, size, symbol) in symbols {
            let next = starts.iter().copied().find(|other| *other > start);
            let end = if size > 0 { start + size } else { next.unwrap_or(section.size()) };
            places.push(Place {
                symbol,
                file: number,
                section: section.index(),
                range: start..end,
            });
        }
    }
    Ok(places)
}

/// The addend that stands in the field itself.
fn field(section: &Section<'_, '_>, offset: u64) -> Result<i64> {
    let offset = to_usize(offset)?;
    let bytes = section.data()?.get(offset..).and_then(|bytes| bytes.first_chunk());
    Ok(i32::from_le_bytes(*bytes.context("a relocation leaves its section")?).into())
}

fn to_usize(number: u64) -> Result<usize> {
    Ok(usize::try_from(number)?)
}

fn demangled(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}
