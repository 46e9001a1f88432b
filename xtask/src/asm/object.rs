//! The functions of a compiled crate and which of them refer to which. No format is parsed here:
//! that is the work of the crates `object`, `iced-x86` and `rustc-demangle`.

use std::{collections::BTreeMap, ops::Range};

use anyhow::{Context, Result, bail};
use iced_x86::{Decoder, DecoderOptions, Instruction};
use object::{
    Architecture, File, Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget,
    Section, SectionIndex, SectionKind, SymbolKind, read::archive::ArchiveFile,
};

/// All functions of a crate that are not generic or were instantiated in it.
#[derive(Debug)]
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
        let mut places = Vec::new();
        for (number, file) in files.iter().enumerate() {
            places.extend(places_of(number, file)?);
        }
        let functions = places.iter().map(|place| place.read(&files[place.file], &places));
        Ok(Self { functions: functions.collect::<Result<_>>()? })
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

    /// What it refers to that is not in the crate.
    pub(crate) fn foreign(&self) -> impl Iterator<Item = &str> {
        let references = self.references.values();
        references.filter(|to| to.function.is_none()).map(|to| to.name.as_str())
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

impl Place {
    fn read(&self, file: &File<'_>, places: &[Self]) -> Result<Function> {
        // Not `is_64`, which tells the class of the format: that of COFF is always 32.
        let bits = match file.architecture() {
            Architecture::X86_64 => 64,
            Architecture::I386 => 32,
            other => bail!("{other:?} can't be disassembled"),
        };
        let section = file.section_by_index(self.section)?;
        let code = section.data()?.get(to_usize(self.range.start)?..to_usize(self.range.end)?);
        let code = code.with_context(|| format!("{} leaves its section", self.symbol))?;
        let mut references = BTreeMap::new();
        for (offset, relocation) in section.relocations() {
            let RelocationTarget::Symbol(symbol) = relocation.target() else { continue };
            if self.range.contains(&offset) {
                let symbol = file.symbol_by_index(symbol)?;
                let function = if symbol.kind() == SymbolKind::Section {
                    // How functions are referred to that the linker does not see. Addresses
                    // relative to the next instruction have an addend of minus the field's size.
                    let implicit = relocation.has_implicit_addend();
                    let implicit = if implicit { field(&section, offset)? } else { 0 };
                    let at = relocation.addend().wrapping_add(implicit).wrapping_add(4);
                    places.iter().position(|place| {
                        place.file == self.file
                            && symbol.section_index() == Some(place.section)
                            && place.range.contains(&at.cast_unsigned())
                    })
                } else {
                    let name = symbol.name()?;
                    places.iter().position(|place| place.symbol == name)
                };
                let name = function.map_or(symbol.name()?, |function| &places[function].symbol);
                let reference = Reference { function, name: demangled(name) };
                references.insert(offset - self.range.start, reference);
            }
        }
        Ok(Function::decode(&self.symbol, bits, code, references))
    }
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
