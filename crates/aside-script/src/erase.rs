//! Erases types: replaces each by spaces, so that every line and nearly every column stays where it is.
//!
//! A statement or class member that vanishes leaves a `;`, and so does a type at the end of a statement: the next line must not become its continuation.

mod members;
mod refused;
mod text;

use oxc::ast::ast::*;
use oxc::ast_visit::{Visit, walk};
use oxc::span::GetSpan;
use oxc::syntax::scope::ScopeFlags;

use crate::{ScriptError, syntax::line_of};
use text::Eraser;

/// Returns the text without types, or the first piece of syntax that can't be erased.
pub(crate) fn erase(source: &str, tree: &Program<'_>) -> Result<String, ScriptError> {
    let mut eraser = Eraser::new(source);
    eraser.visit_program(tree);
    if let Some((offset, word, hint)) = eraser.refused {
        let message = format!("The script can't use `{word}`");
        return Err(ScriptError::new("unsupported_syntax", message).at(line_of(source, offset)).hint(hint));
    }
    Ok(String::from_utf8(eraser.text).expect("erasing replaces whole characters"))
}

impl<'a> Visit<'a> for Eraser<'_> {
    fn visit_statement(&mut self, statement: &Statement<'a>) {
        if refused::statement(self, statement) {
            return;
        }
        let erased = match statement {
            Statement::TSTypeAliasDeclaration(_) | Statement::TSInterfaceDeclaration(_) => true,
            Statement::FunctionDeclaration(function) => function.declare || function.body.is_none(),
            Statement::VariableDeclaration(declaration) => declaration.declare,
            Statement::ClassDeclaration(class) => class.declare,
            Statement::TSEnumDeclaration(_)
            | Statement::TSExternalModuleDeclaration(_)
            | Statement::TSNamespaceDeclaration(_)
            | Statement::TSGlobalDeclaration(_) => true,
            _ => false,
        };
        if erased {
            return self.remove(statement.span());
        }
        walk::walk_statement(self, statement);
        self.end_statement(statement.span());
    }

    fn visit_ts_type_annotation(&mut self, annotation: &TSTypeAnnotation<'a>) {
        self.blank(annotation.span.start, annotation.span.end);
    }

    fn visit_ts_type_parameter_declaration(&mut self, parameters: &TSTypeParameterDeclaration<'a>) {
        self.blank(parameters.span.start, parameters.span.end);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, arguments: &TSTypeParameterInstantiation<'a>) {
        self.blank(arguments.span.start, arguments.span.end);
    }

    fn visit_ts_as_expression(&mut self, expression: &TSAsExpression<'a>) {
        self.visit_expression(&expression.expression);
        self.blank(expression.expression.span().end, expression.span.end);
    }

    fn visit_ts_satisfies_expression(&mut self, expression: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&expression.expression);
        self.blank(expression.expression.span().end, expression.span.end);
    }

    fn visit_ts_non_null_expression(&mut self, expression: &TSNonNullExpression<'a>) {
        self.visit_expression(&expression.expression);
        self.blank(expression.expression.span().end, expression.span.end);
    }

    fn visit_ts_type_assertion(&mut self, assertion: &TSTypeAssertion<'a>) {
        let inner = assertion.expression.span();
        // Where the value would become a block, a function or the next line's statement, the assertion can't just vanish.
        let begins = self
            .slice(inner.start, inner.end)
            .split(|letter: char| !letter.is_ascii_alphabetic())
            .next()
            .unwrap_or_default();
        let ambiguous = self.slice(inner.start, inner.end).starts_with('{')
            || matches!(begins, "function" | "class" | "async" | "let");
        if ambiguous || self.has_line_end(assertion.span.start, inner.start) {
            self.refuse(assertion.span.start, "<type> value", "Write `value as type`.");
        }
        self.blank(assertion.span.start, inner.start);
        self.visit_expression(&assertion.expression);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        members::this_parameter(self, function);
        walk::walk_function(self, function, flags);
    }

    fn visit_ts_this_parameter(&mut self, _: &TSThisParameter<'a>) {}

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        walk::walk_arrow_function_expression(self, arrow);
        members::arrow_over_lines(self, arrow);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        if parameter.accessibility.is_some() || parameter.readonly || parameter.r#override {
            self.refuse(
                parameter.span.start,
                "parameter property",
                "Declare the field, and assign it in the constructor.",
            );
        }
        if parameter.optional {
            let end = parameter.type_annotation.as_ref().map_or(parameter.span.end, |annotation| annotation.span.start);
            self.blank_mark('?', parameter.pattern.span().end, end.max(parameter.pattern.span().end + 1));
        }
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if declarator.definite {
            let end =
                declarator.type_annotation.as_ref().map_or(declarator.span.end, |annotation| annotation.span.start);
            self.blank_mark('!', declarator.id.span().end, end);
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        members::class_head(self, class);
        walk::walk_class(self, class);
    }

    fn visit_ts_class_implements_list(&mut self, _: &oxc::allocator::ArenaVec<'a, TSClassImplements<'a>>) {}

    fn visit_class_element(&mut self, element: &ClassElement<'a>) {
        if members::erased(element) {
            return self.remove(element.span());
        }
        members::modifiers(self, element);
        walk::walk_class_element(self, element);
        self.end_statement(element.span());
    }

    fn visit_decorator(&mut self, decorator: &Decorator<'a>) {
        self.refuse(
            decorator.span.start,
            "decorator",
            "Call the function yourself: decorators are not plain JavaScript.",
        );
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        self.refuse(import.span.start, "import", refused::NO_MODULES);
    }

    fn visit_import_meta(&mut self, meta: &ImportMeta) {
        self.refuse(meta.span.start, "import.meta", refused::NO_MODULES);
    }
}

#[cfg(test)]
mod tests {
    use crate::compile;

    /// The script without types, with runs of spaces as one.
    fn erased(source: &str) -> String {
        let program = compile(source).unwrap_or_else(|error| panic!("{source}: {error:?}"));
        program.javascript().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn refused(source: &str) -> (u32, String) {
        let error = compile(source).expect_err(source);
        assert_eq!(error.code, "unsupported_syntax", "{source}: {error:?}");
        (error.line.expect("has a line"), error.message)
    }

    #[test]
    fn annotations_and_generics_vanish() {
        assert_eq!(erased("const a: number = 1"), "const a = 1");
        assert_eq!(
            erased("function f<T extends object>(a: T, b?: string, ...c: T[]): T { return a }"),
            "function f (a , b , ...c ) { return a }"
        );
        assert_eq!(erased("const f = <K,>(key?: K): K | undefined => key;"), "const f = (key ) => key;");
        assert_eq!(erased("f<string>(1); new Map<string, number>(); let x!: T;"), "f (1); new Map (); let x ;");
        assert_eq!(erased("try { } catch (error: unknown) { }"), "try { } catch (error ) { }");
        assert_eq!(erased("for (const x of y as T[]) {}"), "for (const x of y ) {}");
    }

    #[test]
    fn assertions_vanish() {
        assert_eq!(erased("const a = { b: 1 } as const satisfies Record<string, number>;"), "const a = { b: 1 } ;");
        assert_eq!(erased("return a!.b![0]!;"), "return a .b [0] ;");
        assert_eq!(erased("const a = <any>b; (c as any).d = 1;"), "const a = b; (c ).d = 1;");
    }

    #[test]
    fn declarations_vanish() {
        assert_eq!(
            erased("interface A { b: string }\ntype C = A | null;\ndeclare const d: C;\nreturn 1;"),
            "; ; ; return 1;"
        );
        assert_eq!(
            erased("function f(a: string): string;\nfunction f(a: any) { return a }"),
            "; function f(a ) { return a }"
        );
        assert_eq!(erased("declare enum E { A }\ndeclare namespace N { const x: 1 }"), "; ;");
    }

    #[test]
    fn classes_lose_their_types() {
        let source = "abstract class A<T> extends B<T> implements C, D<T> {\n  private readonly a: T = 1;\n  static override b?: string;\n  declare c: T;\n  \
                      [key: string]: any;\n  abstract d(): void;\n  constructor(e: T) { super(e) }\n  public get f(): T { return this.a! }\n  g!: T\n}";
        assert_eq!(
            erased(source),
            "class A extends B { ; a = 1; static b ; ; ; ; constructor(e ) { super(e) } ; get f() { return this.a; } g ; }"
        );
    }

    #[test]
    fn next_line_continues_no_statement() {
        assert_eq!(erased("const a = b as T\n[1, 2].forEach(f)"), "const a = b ; [1, 2].forEach(f)");
        assert_eq!(erased("a\ntype T = 1\n(b)"), "a ; (b)");
        assert_eq!(
            erased("class A {\n  a = 1\n  public [b] = 2\n  c: T\n  *d() {}\n}"),
            "class A { a = 1 ; [b] = 2 c ; *d() {} }"
        );
    }

    #[test]
    fn arrow_types_over_lines_keep_the_arrow() {
        assert_eq!(erased("const f = (a: A): {\n  b: string;\n} => a;"), "const f = (a ) => a;");
        assert_eq!(erased("return <\n  T,\n>(a: T) => a;"), "return ( a ) => a;");
    }

    #[test]
    fn this_parameter_vanishes() {
        assert_eq!(
            erased("function f(this: Foo, a: string) {}\nfunction g(this: Foo) {}"),
            "function f( a ) {} function g( ) {}"
        );
    }

    #[test]
    fn syntax_with_code_behind_is_refused() {
        assert_eq!(refused("1;\n2;\n@seen\nclass A {}"), (3, "The script can't use `decorator`".to_owned()));
        assert_eq!(refused("enum E { A }").1, "The script can't use `enum`");
        assert_eq!(refused("\nnamespace N { export const a = 1 }"), (2, "The script can't use `namespace`".to_owned()));
        assert_eq!(
            refused("class A {\n  constructor(private a: string) {}\n}"),
            (2, "The script can't use `parameter property`".to_owned())
        );
        assert_eq!(refused("const a = () => <T>{};").1, "The script can't use `<type> value`");
        for source in [
            "import a from 'b';",
            "import type { A } from 'b';",
            "await import('b');",
            "return import.meta;",
            "import a = b.c;",
        ] {
            assert!(refused(source).1.contains("import"), "{source}");
        }
        for source in ["export const a = 1;", "export default 1;", "export * from 'a';", "export = 1;"] {
            assert!(refused(source).1.contains("export"), "{source}");
        }
    }
}
