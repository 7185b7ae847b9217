//! The macros that write declarations: one line per parameter, one word per variant.

/// Declares a variant: a struct with one field per parameter, its `VARIANT` declaration with defaults, ranges and
/// docs, `From<&Choice>` and `Default`. One variant lives in one module.
///
/// ```
/// recipe::params! {
///     /// Mean plus c·√(ln N / n).
///     pub struct Uct as "uct" {
///         c: f64 = 0.9, 0.0..=10.0, "exploration constant, in win-rate units";
///         min_visits: u32 = 1, 0..=1000, "visits before the bound counts";
///         random_ties: bool = true, "whether equal arms are drawn at random";
///     }
/// }
/// assert_eq!(Uct::default().c, 0.9);
/// assert_eq!(VARIANT.params[1].key, "min-visits");
/// ```
///
/// Field types: `f64`, `f32`, `u32`, `u64`, `i32`, `bool`, `word(Enum)` (an enum of [`words!`](crate::words)),
/// `choice(FAMILY)` (a nested variant, kept as a [`Choice`](crate::Choice) and built later), and `list(FAMILY)`.
#[macro_export]
macro_rules! params {
    (
        $(#[doc = $doc:expr])+
        $(#[derive($($derive:ident),*)])?
        $vis:vis struct $Name:ident as $name:literal { $($body:tt)* }
    ) => {
        $crate::__fields! { [$(#[doc = $doc])+ $(#[derive($($derive),*)])?] [$vis] $Name [] $($body)* }

        /// The declaration of this variant.
        pub static VARIANT: $crate::Variant = $crate::Variant {
            name: $name,
            doc: concat!($($doc, "\n"),+),
            params: $crate::__declare! { [] $($body)* },
        };

        /// The parameters that `variants!` reads before it calls `build`.
        #[allow(dead_code)]
        pub(crate) type Declared = $Name;

        impl From<&$crate::Choice> for $Name {
            #[allow(unused_variables)]
            fn from(choice: &$crate::Choice) -> Self {
                debug_assert!(choice.is(&VARIANT), "a choice of `{}` read as `{}`", choice.name(), VARIANT.name);
                $crate::__read! { $Name choice [] $($body)* }
            }
        }

        impl Default for $Name {
            fn default() -> Self {
                Self::from(&$crate::Choice::new(&VARIANT))
            }
        }
    };
}

/// Writes the struct of [`params!`](crate::params).
#[doc(hidden)]
#[macro_export]
macro_rules! __fields {
    ([$($meta:tt)*] [$vis:vis] $Name:ident [$($out:tt)*]) => {
        $($meta)*
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $Name { $($out)* }
    };
    ($meta:tt $vis:tt $Name:ident [$($out:tt)*] $f:ident : choice($family:path) = $d:literal, $doc:literal; $($rest:tt)*) => {
        $crate::__fields! { $meta $vis $Name [$($out)* #[doc = $doc] pub $f: $crate::Choice,] $($rest)* }
    };
    ($meta:tt $vis:tt $Name:ident [$($out:tt)*] $f:ident : list($family:path) = $d:literal, $doc:literal; $($rest:tt)*) => {
        $crate::__fields! { $meta $vis $Name [$($out)* #[doc = $doc] pub $f: Vec<$crate::Choice>,] $($rest)* }
    };
    ($meta:tt $vis:tt $Name:ident [$($out:tt)*] $f:ident : word($Enum:path) = $d:expr, $doc:literal; $($rest:tt)*) => {
        $crate::__fields! { $meta $vis $Name [$($out)* #[doc = $doc] pub $f: $Enum,] $($rest)* }
    };
    ($meta:tt $vis:tt $Name:ident [$($out:tt)*] $f:ident : bool = $d:expr, $doc:literal; $($rest:tt)*) => {
        $crate::__fields! { $meta $vis $Name [$($out)* #[doc = $doc] pub $f: bool,] $($rest)* }
    };
    ($meta:tt $vis:tt $Name:ident [$($out:tt)*] $f:ident : $ty:ident = $d:expr, $range:expr, $doc:literal; $($rest:tt)*) => {
        $crate::__fields! { $meta $vis $Name [$($out)* #[doc = $doc] pub $f: $ty,] $($rest)* }
    };
}

/// Writes the declarations of [`params!`](crate::params).
#[doc(hidden)]
#[macro_export]
macro_rules! __declare {
    ([$($out:tt)*]) => { &[$($out)*] };
    ([$($out:tt)*] $f:ident : choice($family:path) = $d:literal, $doc:literal; $($rest:tt)*) => {
        $crate::__declare! { [$($out)* $crate::Param {
            key: $crate::__key!($f), doc: $doc, kind: $crate::ParamKind::Choice { family: &$family, default: $d },
        },] $($rest)* }
    };
    ([$($out:tt)*] $f:ident : list($family:path) = $d:literal, $doc:literal; $($rest:tt)*) => {
        $crate::__declare! { [$($out)* $crate::Param {
            key: $crate::__key!($f), doc: $doc, kind: $crate::ParamKind::List { family: &$family, default: $d },
        },] $($rest)* }
    };
    ([$($out:tt)*] $f:ident : word($Enum:path) = $d:expr, $doc:literal; $($rest:tt)*) => {
        $crate::__declare! { [$($out)* $crate::Param {
            key: $crate::__key!($f), doc: $doc, kind: $crate::ParamKind::Word { default: $d.word(), words: <$Enum>::WORDS },
        },] $($rest)* }
    };
    ([$($out:tt)*] $f:ident : bool = $d:expr, $doc:literal; $($rest:tt)*) => {
        $crate::__declare! { [$($out)* $crate::Param {
            key: $crate::__key!($f), doc: $doc, kind: $crate::ParamKind::Flag { default: $d },
        },] $($rest)* }
    };
    ([$($out:tt)*] $f:ident : $ty:ident = $d:expr, $range:expr, $doc:literal; $($rest:tt)*) => {
        $crate::__declare! { [$($out)* $crate::Param {
            key: $crate::__key!($f), doc: $doc, kind: $crate::__number!($ty, $d, $range),
        },] $($rest)* }
    };
}

/// The kind of a number.
#[doc(hidden)]
#[macro_export]
macro_rules! __number {
    (f64, $d:expr, $range:expr) => {{
        const RANGE: ::std::ops::RangeInclusive<f64> = $range;
        $crate::ParamKind::Float { default: $d, min: *RANGE.start(), max: *RANGE.end() }
    }};
    (f32, $d:expr, $range:expr) => {
        $crate::__number!(f64, $d, $range)
    };
    ($int:ident, $d:expr, $range:expr) => {{
        // Declared in the field's own type first, so that a default or bound it cannot hold does not compile.
        const RANGE: ::std::ops::RangeInclusive<$int> = $range;
        const DEFAULT: $int = $d;
        $crate::ParamKind::Int {
            default: DEFAULT as i64,
            min: *RANGE.start() as i64,
            max: *RANGE.end() as i64,
        }
    }};
}

/// Reads the struct of [`params!`](crate::params) from a choice.
#[doc(hidden)]
#[macro_export]
macro_rules! __read {
    ($Name:ident $choice:ident [$($out:tt)*]) => { $Name { $($out)* } };
    ($Name:ident $choice:ident [$($out:tt)*] $f:ident : choice($family:path) = $d:literal, $doc:literal; $($rest:tt)*) => {
        $crate::__read! { $Name $choice [$($out)*
            $f: $choice.nested_choice($crate::__key!($f), &$family, $d),] $($rest)* }
    };
    ($Name:ident $choice:ident [$($out:tt)*] $f:ident : list($family:path) = $d:literal, $doc:literal; $($rest:tt)*) => {
        $crate::__read! { $Name $choice [$($out)*
            $f: $choice.nested_list($crate::__key!($f), &$family, $d),] $($rest)* }
    };
    ($Name:ident $choice:ident [$($out:tt)*] $f:ident : word($Enum:path) = $d:expr, $doc:literal; $($rest:tt)*) => {
        $crate::__read! { $Name $choice [$($out)* $f: match $choice.value($crate::__key!($f)) {
            Some($crate::ParamValue::Word(word)) => <$Enum>::from_word(word).unwrap_or($d),
            _ => $d,
        },] $($rest)* }
    };
    ($Name:ident $choice:ident [$($out:tt)*] $f:ident : bool = $d:expr, $doc:literal; $($rest:tt)*) => {
        $crate::__read! { $Name $choice [$($out)* $f: match $choice.value($crate::__key!($f)) {
            Some($crate::ParamValue::Flag(flag)) => *flag,
            _ => $d,
        },] $($rest)* }
    };
    ($Name:ident $choice:ident [$($out:tt)*] $f:ident : $ty:ident = $d:expr, $range:expr, $doc:literal; $($rest:tt)*) => {
        $crate::__read! { $Name $choice [$($out)* $f: match $choice.value($crate::__key!($f)) {
            Some($crate::ParamValue::Float(x)) => *x as $ty,
            Some($crate::ParamValue::Int(x)) => *x as $ty,
            _ => $d,
        },] $($rest)* }
    };
}

/// A field's name as recipes write it: `min_visits` becomes `min-visits`.
#[doc(hidden)]
#[macro_export]
macro_rules! __key {
    ($f:ident) => {{
        const NAME: &str = stringify!($f);
        const BYTES: [u8; NAME.len()] = $crate::__hyphenate(NAME);
        const KEY: &str = match ::core::str::from_utf8(&BYTES) {
            Ok(key) => key,
            Err(_) => NAME,
        };
        KEY
    }};
}

/// The bytes of a name with hyphens for underscores.
#[doc(hidden)]
pub const fn __hyphenate<const N: usize>(name: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut byte_idx = 0;
    while byte_idx < N {
        let byte = name.as_bytes()[byte_idx];
        bytes[byte_idx] = if byte == b'_' { b'-' } else { byte };
        byte_idx += 1;
    }
    bytes
}

/// Declares a small enum whose values recipes write as words, for a `word(Enum)` parameter.
///
/// ```
/// recipe::words! {
///     /// The quantity that is maximised.
///     pub enum Reward {
///         /// The game: 0, ½ or 1.
///         Win = "win",
///         /// Points.
///         Score = "score",
///     }
/// }
/// assert_eq!(Reward::from_word("score"), Some(Reward::Score));
/// ```
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* $vis:vis enum $Name:ident { $($(#[$vmeta:meta])* $Value:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $Name { $($(#[$vmeta])* $Value),+ }

        impl $Name {
            /// All words, as recipes write them.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word of this value.
            pub const fn word(self) -> &'static str {
                match self { $($Name::$Value => $word),+ }
            }

            /// The value of a word.
            pub fn from_word(word: &str) -> Option<$Name> {
                match word { $($word => Some($Name::$Value),)+ _ => None }
            }
        }
    };
}

/// Declares a family whose variants are files beside this module: it declares the modules, the family's static and a
/// function that builds the chosen variant. Each module holds one `params!` and a function `build` that takes a
/// reference to the parameters (then any further arguments) and returns `Result<T, recipe::Error>`. Since the modules
/// are declared here, `cargo fmt` does not find their files: format and check them by name (`rustfmt FILE…`).
///
/// ```text
/// recipe::variants! {
///     /// How the next arm is selected.
///     pub static FAMILY = "select";
///     pub fn build<G: Game>(choice, roster: &Roster) -> Box<dyn Selector<G>>;
///     uct, ucb1
/// }
/// ```
#[macro_export]
macro_rules! variants {
    (
        $(#[doc = $doc:expr])+
        $vis:vis static $FAMILY:ident = $name:literal;
        $bvis:vis fn $build:ident $(<$($G:ident : $Bound:path),+>)? (choice $(, $arg:ident : $Arg:ty)*) -> $T:ty;
        $($module:ident),+ $(,)?
    ) => {
        $(pub mod $module;)+
        $crate::family! {
            $(#[doc = $doc])+
            $vis static $FAMILY = $name;
            $bvis fn $build $(<$($G : $Bound),+>)? (choice $(, $arg : $Arg)*) -> $T;
            $($module),+
        }
    };
}

/// [`variants!`](crate::variants) for modules that are declared elsewhere.
#[macro_export]
macro_rules! family {
    (
        $(#[doc = $doc:expr])+
        $vis:vis static $FAMILY:ident = $name:literal;
        $bvis:vis fn $build:ident $(<$($G:ident : $Bound:path),+>)? (choice $(, $arg:ident : $Arg:ty)*) -> $T:ty;
        $($module:ident),+ $(,)?
    ) => {
        $(#[doc = $doc])+
        $vis static $FAMILY: $crate::Family = $crate::Family {
            name: $name,
            doc: concat!($($doc, "\n"),+),
            variants: &[$(&$module::VARIANT),+],
        };

        /// Builds the chosen variant of this family.
        ///
        /// # Errors
        /// When the variant does not fit the rest of the recipe, or is none of this family.
        $bvis fn $build $(<$($G: $Bound),+>)? (
            choice: &$crate::Choice $(, $arg: $Arg)*
        ) -> ::core::result::Result<$T, $crate::Error> {
            $crate::__build! { choice ($(::<$($G),+>)?) ($($arg),*) $($module)+ }
            Err($crate::Error::unsuitable(choice.name(), concat!("it is no ", $name)))
        }
    };
}

/// Tries one variant after the other; the generics and the further arguments travel as one group each.
#[doc(hidden)]
#[macro_export]
macro_rules! __build {
    ($choice:ident $generics:tt $args:tt $($module:ident)+) => {
        $($crate::__build! { @one $choice $generics $args $module })+
    };
    (@one $choice:ident ($($generics:tt)*) ($($arg:ident),*) $module:ident) => {
        if $choice.is(&$module::VARIANT) {
            return $module::build $($generics)* (&$module::Declared::from($choice) $(, $arg)*);
        }
    };
}
