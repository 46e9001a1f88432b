//! Which backend is taken.

use cfg_if::cfg_if;

use crate::backends::with_backends;

macro_rules! backends {
    ($($Backend:ident = $name:literal $package:ident),+) => {
        /// A backend that is built for this target.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Backend {
            $($Backend,)+
        }

        impl Backend {
            /// The one that `--cfg threefish_backend` names.
            const BUILT_FOR: Option<Self> =
                $(if cfg!(threefish_backend = $name) { Some(Self::$Backend) } else)+ { None };

            #[cfg(feature = "override")]
            const ALL: &[Self] = &[$(Self::$Backend,)+];

            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Backend => $name,)+
                }
            }

            #[cfg(feature = "override")]
            fn is_supported(self) -> bool {
                match self {
                    $(Self::$Backend => $package::Threefish256::is_supported(),)+
                }
            }
        }
    };
}

with_backends!(backends!());

/// The backends for one block and for many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) one: Backend,
    pub(crate) many: Backend,
}

impl Choice {
    /// What is taken here.
    #[inline]
    pub(crate) fn here() -> Self {
        #[cfg(feature = "override")]
        if let Some(backend) = named::backend() {
            return Self::both(backend);
        }
        match Backend::BUILT_FOR {
            Some(backend) => Self::both(backend),
            None => Self::fastest(),
        }
    }

    const fn both(backend: Backend) -> Self {
        Self { one: backend, many: backend }
    }
}

// The table in the documentation of this crate.
cfg_if! {
    if #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))] {
        // Came with Ice Lake and Zen 4. Processors before them that have AVX-512 lower their clock for it.
        cpufeatures::new!(vbmi2, "avx512vbmi2");

        impl Choice {
            #[inline]
            fn fastest() -> Self {
                if vbmi2::get() && threefish_avx512::Threefish256::is_supported() {
                    return Self::both(Backend::Avx512);
                }
                let avx2 = threefish_avx2::Threefish256::is_supported();
                match (cfg!(target_arch = "x86_64"), avx2) {
                    (true, true) => Self::both(Backend::Avx2),
                    (true, false) => Self::both(Backend::Unrolled),
                    (false, true) => Self { one: Backend::Sse2, many: Backend::Avx2 },
                    (false, false) => Self::both(Backend::Sse2),
                }
            }
        }
    } else if #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))] {
        impl Choice {
            fn fastest() -> Self {
                Self::both(Backend::Wasm)
            }
        }
    } else {
        impl Choice {
            fn fastest() -> Self {
                Self::both(Backend::Unrolled)
            }
        }
    }
}

/// The environment variable.
#[cfg(feature = "override")]
mod named {
    use std::{env, format, string::String, sync::OnceLock, vec::Vec};

    use super::Backend;

    /// The backend that the variable names, if it is set.
    pub(super) fn backend() -> Option<Backend> {
        static BACKEND: OnceLock<Option<Backend>> = OnceLock::new();
        *BACKEND.get_or_init(|| {
            let name = env::var_os("THREEFISH_BACKEND")?;
            Some(parse(&name.to_string_lossy()).unwrap_or_else(|error| panic!("{error}")))
        })
    }

    fn parse(name: &str) -> Result<Backend, String> {
        let why = match Backend::ALL.iter().find(|backend| backend.name() == name) {
            Some(backend) if backend.is_supported() => return Ok(*backend),
            Some(_) => "this processor lacks what it needs",
            None => "no backend of this target has that name",
        };
        let run = Backend::ALL.iter().filter(|backend| backend.is_supported());
        let names: Vec<_> = run.map(|backend| backend.name()).collect();
        Err(format!("THREEFISH_BACKEND={name}: {why}; set it to one of {}", names.join(", ")))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_wrong_name_is_answered_with_the_right_ones() {
            let error = parse("sse9").unwrap_err();
            assert!(error.contains("THREEFISH_BACKEND=sse9: no backend of this"), "{error}");
            assert!(error.contains("set it to one of unrolled"), "{error}");
        }

        #[test]
        fn each_backend_is_taken_by_its_name_if_it_runs() {
            for backend in Backend::ALL {
                match parse(backend.name()) {
                    Ok(parsed) => assert_eq!(parsed, *backend),
                    Err(error) => {
                        assert!(!backend.is_supported());
                        assert!(error.contains("this processor lacks"), "{error}");
                    }
                }
            }
        }
    }
}
