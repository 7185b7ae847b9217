//! Names and parameters of every variant: recipes as text.
