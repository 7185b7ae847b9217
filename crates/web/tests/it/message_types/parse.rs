//! Public structs and enums of a source file, as far as messages use the language.

/// A type by its last name and what stands in its angle brackets, a tuple, or an array.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    Path(String, Vec<Type>),
    Tuple(Vec<Type>),
    Array(Box<Type>, usize),
}

#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) doc: String,
    pub(super) ty: Type,
    /// Whether a message may leave it out.
    pub(super) defaults: bool,
    /// Whether it is left out when it is empty.
    pub(super) skips: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    Unit,
    Tuple(Vec<Type>),
    Struct(Vec<Field>),
}

#[derive(Clone, Debug)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) shape: Shape,
}

#[derive(Clone, Debug)]
pub(super) enum Body {
    Struct(Shape),
    Enum(Vec<Variant>),
}

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) doc: String,
    /// The field that tells variants apart.
    pub(super) tag: Option<String>,
    pub(super) shape: Body,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Doc(String),
    Attribute(String),
    Word(String),
    Sign(char),
}

/// The types of a source file, without those of its tests.
pub(super) fn items(source: &str) -> Result<Vec<Item>, String> {
    let source = source.split("#[cfg(test)]").next().unwrap_or_default();
    let mut reader = Reader { tokens: tokens(source), at: 0 };
    let mut items = Vec::new();
    while reader.at < reader.tokens.len() {
        let (doc, attributes) = reader.heading();
        let is_public = reader.take_word("pub");
        if is_public && reader.take_word("struct") {
            let name = reader.word()?;
            let shape = Body::Struct(reader.shape()?);
            items.push(Item { name, doc, tag: tag(&attributes), shape });
        } else if is_public && reader.take_word("enum") {
            let name = reader.word()?;
            let shape = Body::Enum(reader.variants()?);
            items.push(Item { name, doc, tag: tag(&attributes), shape });
        } else {
            reader.skip();
        }
    }
    Ok(items)
}

/// The text between quotes after `tag = `.
fn tag(attributes: &str) -> Option<String> {
    let (_, rest) = attributes.split_once("tag = \"")?;
    rest.split_once('"').map(|(tag, _)| tag.to_string())
}

fn tokens(source: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = source.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = if let Some(doc) = rest.strip_prefix("///") {
            let line = doc.lines().next().unwrap_or_default();
            tokens.push(Token::Doc(line.trim().to_string()));
            3 + line.len()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("#[") {
            let len = closing(rest, '[', ']');
            tokens.push(Token::Attribute(rest[..len].to_string()));
            len
        } else if first == '"' {
            // Texts mean nothing here.
            1 + rest[1..].find('"').map_or(0, |end| end + 1)
        } else if first.is_alphanumeric() || first == '_' {
            let len = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..len].to_string()));
            len
        } else {
            tokens.push(Token::Sign(first));
            first.len_utf8()
        };
        rest = rest[len.max(1)..].trim_start();
    }
    tokens
}

/// Bytes up to the bracket that closes the first one.
fn closing(text: &str, open: char, close: char) -> usize {
    let mut depth = 0;
    for (idx, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return idx + 1;
            }
        }
    }
    text.len()
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, token: &Token) -> bool {
        let is_it = self.peek() == Some(token);
        self.at += usize::from(is_it);
        is_it
    }

    fn take_word(&mut self, word: &str) -> bool {
        self.take(&Token::Word(word.to_string()))
    }

    fn take_sign(&mut self, sign: char) -> bool {
        self.take(&Token::Sign(sign))
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.take_sign(sign) { Ok(()) } else { Err(format!("expected `{sign}`, got {:?}", self.peek())) }
    }

    fn word(&mut self) -> Result<String, String> {
        match self.peek().cloned() {
            Some(Token::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            other => Err(format!("expected a name, got {other:?}")),
        }
    }

    /// Docs and attributes before something.
    fn heading(&mut self) -> (String, String) {
        let (mut doc, mut attributes) = (Vec::new(), String::new());
        loop {
            match self.peek() {
                Some(Token::Doc(line)) => doc.push(line.clone()),
                Some(Token::Attribute(text)) => attributes.push_str(text),
                _ => return (doc.join(" "), attributes),
            }
            self.at += 1;
        }
    }

    /// Passes over one token, or over all between braces.
    fn skip(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.peek() {
            depth += match token {
                Token::Sign('{') => 1,
                Token::Sign('}') => -1,
                _ => 0,
            };
            self.at += 1;
            if depth <= 0 {
                return;
            }
        }
    }

    fn shape(&mut self) -> Result<Shape, String> {
        if self.take_sign('{') {
            let mut fields = Vec::new();
            while !self.take_sign('}') {
                fields.push(self.field()?);
            }
            Ok(Shape::Struct(fields))
        } else if self.take_sign('(') {
            let mut parts = Vec::new();
            while !self.take_sign(')') {
                self.heading();
                self.take_word("pub");
                parts.push(self.ty()?);
                self.take_sign(',');
            }
            Ok(Shape::Tuple(parts))
        } else {
            Ok(Shape::Unit)
        }
    }

    fn field(&mut self) -> Result<Field, String> {
        let (doc, attributes) = self.heading();
        self.take_word("pub");
        let name = self.word()?;
        self.expect(':')?;
        let ty = self.ty()?;
        self.take_sign(',');
        let [defaults, skips] = ["default", "skip_serializing_if"].map(|word| attributes.contains(word));
        Ok(Field { name, doc, ty, defaults, skips })
    }

    fn variants(&mut self) -> Result<Vec<Variant>, String> {
        self.expect('{')?;
        let mut variants = Vec::new();
        while !self.take_sign('}') {
            self.heading();
            let name = self.word()?;
            let shape = self.shape()?;
            self.take_sign(',');
            variants.push(Variant { name, shape });
        }
        Ok(variants)
    }

    fn ty(&mut self) -> Result<Type, String> {
        if self.take_sign('&') {
            // A lifetime is a quote and a word.
            if self.take_sign('\'') {
                self.word()?;
            }
            return self.ty();
        }
        if self.take_sign('(') {
            let mut parts = Vec::new();
            while !self.take_sign(')') {
                parts.push(self.ty()?);
                self.take_sign(',');
            }
            return Ok(Type::Tuple(parts));
        }
        if self.take_sign('[') {
            let part = self.ty()?;
            self.expect(';')?;
            let n = self.word()?.parse().map_err(|error| format!("an array’s length: {error}"))?;
            self.expect(']')?;
            return Ok(Type::Array(Box::new(part), n));
        }
        let mut name = self.word()?;
        while self.take_sign(':') {
            self.expect(':')?;
            name = self.word()?;
        }
        let mut parts = Vec::new();
        if self.take_sign('<') {
            while !self.take_sign('>') {
                parts.push(self.ty()?);
                self.take_sign(',');
            }
        }
        Ok(Type::Path(name, parts))
    }
}
