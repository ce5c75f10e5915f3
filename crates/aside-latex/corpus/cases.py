"""The broken documents of the corpus. A fault is (file, line, kind), with None where a log can't know it."""

BOTH = ["-interaction=nonstopmode", "-file-line-error"]
HALT = ["-interaction=nonstopmode", "-halt-on-error"]
BATCH = ["-interaction=batchmode"]


def article(body: str, head: str = "") -> str:
    """A document: its body begins on line 3 plus the lines of `head`."""
    return f"\\documentclass{{article}}\n{head}\\begin{{document}}\n{body}\n\\end{{document}}\n"


CASES = []


def case(name, body, line, kind, *, at=None, head="", file="main.tex", files=None, **more):
    """One broken document; `files` adds to, or replaces, `main.tex`. `at`: the line in the source, if a log does not say it."""
    documents = {"main.tex": article(body, head), **(files or {})}
    CASES.append({"name": name, "files": documents, "fault": (file, line, kind), "at": at or line, **more})


# One fault each, in the main file.
case("undefined-command", "Some text.\n\nHere \\undefinedthing{x} is.", 5, "undefined_command")
case("undefined-command-fle", "Some text.\n\nHere \\undefinedthing{x} is.", 5, "undefined_command", flags=BOTH)
case("undefined-command-halt", "Some text.\n\nHere \\undefinedthing{x} is.", 5, "undefined_command", flags=HALT)
case("undefined-command-batch", "Some text.\n\nHere \\undefinedthing{x} is.", 5, "undefined_command", flags=BATCH)
case("undefined-environment", "\\begin{theorm}\nText.\n\\end{theorm}", 3, "undefined_environment")
case("missing-dollar", "The value x_1 is small.", 3, "missing_math")
case("missing-dollar-fle", "First.\n\nThe value x_1 is small.", 5, "missing_math", flags=BOTH)
case("missing-dollar-close", "The value $x_1 is small.\n\nAnother paragraph.", 4, "missing_math")
case("missing-brace", "\\textbf{bold text\n\nNext paragraph.", None, "runaway", at=3)
case("missing-brace-section", "\\section{Title\n\nNext paragraph.", None, "runaway", at=3)
case("missing-brace-to-the-end", "{\\bfseries bold text\n\nNext.", 3, "missing_brace")
case("extra-brace", "Text with one} too many.", 3, "extra_brace")
case("extra-brace-fle", "Text with one} too many.", 3, "extra_brace", flags=BOTH)
case("unmatched-environment", "\\begin{itemize}\n\\item one\n\\end{enumerate}", 5, "unmatched_environment")
case("unclosed-environment", "\\begin{center}\nText.", 5, "unmatched_environment")
case("end-without-begin", "Text.\n\\end{center}", 4, "unmatched_environment")
case("missing-package", "Text.", 2, "missing_package", head="\\usepackage{nosuchpackageatall}\n")
case("missing-package-fle", "Text.", 2, "missing_package", head="\\usepackage{nosuchpackageatall}\n", flags=BOTH)
case("missing-class", "", 1, "missing_package", files={"main.tex": "\\documentclass{nosuchclass}\n\\begin{document}\nx\n\\end{document}\n"})
case("missing-input", "Text.\n\\input{nosuchfile}", 4, "missing_file")
case("missing-include", "Text.\n\\include{nosuchchapter}", None, "missing_file", at=4)
case("missing-image", "Text.\n\n\\includegraphics{nosuchimage}", 6, "missing_file", head="\\usepackage{graphicx}\n")
case("missing-image-ext", "Text.\n\n\\includegraphics{nosuchimage.png}", 6, "missing_file", head="\\usepackage{graphicx}\n")
case("missing-image-xelatex", "Text.\n\n\\includegraphics{nosuchimage.png}", 6, "missing_file", head="\\usepackage{graphicx}\n", engine="xelatex")
case("bad-option-class", "Text.", None, "bad_option", files={"main.tex": "\\documentclass[nosuchoption]{article}\n\\begin{document}\nx\n\\end{document}\n"}, at=1)
case("bad-option-package", "Text.", None, "bad_option", head="\\usepackage[nosuchoption]{graphicx}\n", at=2)
case("bad-option-geometry", "Text.", None, "bad_option", head="\\usepackage[nosuchkey=3cm]{geometry}\n", at=2)
case("option-clash", "Text.", 3, "bad_option", head="\\usepackage[utf8]{inputenc}\n\\usepackage[latin1]{inputenc}\n")
case("bad-graphics-key", "\\includegraphics[widht=3cm]{example}", 4, "bad_option", head="\\usepackage{graphicx}\n")
case("undefined-reference", "See \\ref{sec:none}.", 3, "undefined_reference")
case("undefined-reference-twice", "See \\ref{sec:none}.\n\nAnd \\pageref{sec:long-label-that-goes-on-and-on-until-the-line-wraps-somewhere-here}.", 3, "undefined_reference", steps=["pdflatex", "pdflatex"])
case("undefined-citation", "As \\cite{nobody2020}.", 3, "undefined_citation")
case("undefined-citation-natbib", "As \\citep{nobody2020}.", 4, "undefined_citation", head="\\usepackage{natbib}\n")
case("duplicate-label", "\\section{A}\\label{a}\n\\section{B}\\label{a}", None, "duplicate_label", steps=["pdflatex", "pdflatex"], at=4)
case("double-superscript", "Text $x^a^b$.", 3, "double_script")
case("double-subscript", "Text $x_a_b$.", 3, "double_script")
case("misplaced-ampersand", "Tom & Jerry.", 3, "alignment")
case("extra-alignment-tab", "\\begin{tabular}{ll}\na & b \\\\\na & b & c \\\\\n\\end{tabular}", 5, "alignment")
case("extra-cr-align", "\\begin{equation}\na & b\n\\end{equation}", 4, "alignment")
case("misplaced-noalign", "\\hline\nText.", 3, "alignment")
case("verb-in-argument", "\\section{With \\verb|x_y|}\nText.", 3, "verb")
case("unicode-character", "Text ☃ here.", 3, "unicode")
case("unicode-bytes", b"".decode(), 3, "unicode", files={"main.tex": b"\\documentclass{article}\n\\begin{document}\nText \xe9t\xe9.\n\\end{document}\n"})
case("missing-item", "\\begin{itemize}\nText.\n\\item one\n\\end{itemize}", 4, "missing_item")
case("lonely-item", "Text.\n\n\\item one", 5, "missing_item")
case("too-deep", "".join("\\begin{itemize}\\item x\n" for _ in range(6)) + "\\end{itemize}" * 6, 7, "nesting")
case("missing-number", "\\setlength{\\parindent}{abc}\nText.", 3, "number")
case("illegal-unit", "\\hspace{3xx}Text.", 3, "number")
case("dimension-too-large", "\\hspace{99999cm}Text.", 3, "too_large")
case("no-document-begin", "", 2, "misplaced_command", files={"main.tex": "\\documentclass{article}\nText before.\n\\begin{document}\nx\n\\end{document}\n"})
case("package-after-begin", "\\usepackage{graphicx}\nText.", 3, "misplaced_command")
case("no-document-end", "", None, "stopped", files={"main.tex": "\\documentclass{article}\n\\begin{document}\nText.\n"})
case("redefined-command", "\\newcommand{\\section}{x}\nText.", 3, "already_defined")
case("redefined-renew", "\\renewcommand{\\nosuch}{x}\nText.", 3, "undefined_command")
case("wrong-parameter", "\\newcommand{\\a}[1]{#2}\nText.", 3, "parameter", files={"main.tex": article("\\newcommand{\\abc}[1]{#2}\nText.")})
case("frac-in-text", "Half is \\frac{1}{2}.", 3, "missing_math")
case("extra-right", "$\\left( x $ and \\right)", 3, "delimiter")
case("missing-delimiter", "$\\left x \\right)$", 3, "delimiter")
case("math-in-align-blank", "\\begin{align}\na &= b\n\nc &= d\n\\end{align}", 6, "runaway", head="\\usepackage{amsmath}\n")
case("display-in-inline", "$x \\[ y \\]$", 3, "misplaced_math")
case("capacity", "", 5, "capacity", files={"main.tex": article("Text.\n\n\\def\\loop{x\\loop x}\\setbox0\\hbox{\\loop}")})
case("no-line-to-end", "\\\\ Text.", 3, "no_line")
case("footnote-lost-float", "\\footnote{\\begin{figure}x\\end{figure}}", 3, "float")
case("caption-outside", "\\caption{A}", 3, "float")
case("tikz-semicolon", "\\begin{tikzpicture}\n\\draw (0,0) -- (1,1)\n\\end{tikzpicture}", 6, "package", head="\\usepackage{tikz}\n")
case("siunitx-number", "\\num{1x2}", 4, "package", head="\\usepackage{siunitx}\n")
case("beamer-verbatim", "", None, "runaway", files={"main.tex": "\\documentclass{beamer}\n\\begin{document}\n\\begin{frame}\n\\begin{verbatim}\nx\n\\end{verbatim}\n\\end{frame}\n\\end{document}\n"}, at=3)
case("hyperref-string", "\\section{A $x^2$ \\\\ B}\nText.", 4, "package", head="\\usepackage{hyperref}\n")
case("overfull", "\\hbox to 10pt{Averyveryverylongword that does not fit}\n\n" + "Averyveryverylongword" * 8, 3, "overfull")
case("overfull-paragraph", "A\n\n" + "Averyveryverylongword(" * 8 + "\n", 5, "overfull")
case("underfull", "Text\\\\\n\nMore.", 3, "underfull")
case("missing-character", "Text é.", None, "missing_character", head="\\usepackage{fontspec}\\setmainfont{cmr10}[Extension=.tfm]\n", engine="xelatex", files={"main.tex": "\\documentclass{article}\n\\font\\x=cmr10 \n\\begin{document}\n\\x Text é.\n\\end{document}\n"}, at=4)

# Faults in files that are read by others.
DEEP = {
    "main.tex": article("Begin.\n\\input{one}\nEnd."),
    "one.tex": "One (a remark\n\\input{parts/two}\nback in one.\n",
    "parts/two.tex": "Two.\n\\input{parts/three}\n\n\nTwo has \\brokentwo.\n",
    "parts/three.tex": "Three.\n\nThree has \\brokenthree here.\n",
}
case("deep", "", 3, "undefined_command", file="parts/three.tex", files=DEEP)
case("deep-fle", "", 3, "undefined_command", file="parts/three.tex", files=DEEP, flags=BOTH)
case("deep-xelatex", "", 3, "undefined_command", file="parts/three.tex", files=DEEP, engine="xelatex")
case("deep-lualatex", "", 3, "undefined_command", file="parts/three.tex", files=DEEP, engine="lualatex")
case("deep-return", "", 5, "undefined_command", file="parts/two.tex", files={**DEEP, "parts/three.tex": "Three is fine :-)\n\n\\typeout{a smile :-) and (an open one}\nText.\n"})
case("deep-return-fle", "", 5, "undefined_command", file="parts/two.tex", flags=BOTH, files={**DEEP, "parts/three.tex": "Three is fine.\n"})
case("deep-return-main", "", 8, "undefined_command", files={**DEEP, "main.tex": article("Begin.\n\\input{one}\n\nmain\n\n\\brokenmain"), "parts/three.tex": "3\n", "parts/two.tex": "2\n"})
case("deep-boxes", "", 5, "undefined_command", file="parts/two.tex", files={**DEEP, "parts/three.tex": "Averyvery((longword" * 9 + "\n\n" + "\\hbox to 1pt{(./fake.tex ((( x}\n"})
case("include", "", 4, "undefined_command", file="chapters/first.tex", files={"main.tex": article("\\include{chapters/first}\n\\include{chapters/second}"), "chapters/first.tex": "\\section{F}\n\nText\n\\brokenfirst\n", "chapters/second.tex": "x\n"})
case("include-second", "", 2, "missing_math", file="chapters/second.tex", files={"main.tex": article("\\include{chapters/first}\n\\include{chapters/second}"), "chapters/first.tex": "\\section{F}\nText\n", "chapters/second.tex": "x\nb_1\n"})
case("own-package", "Text.", 4, "undefined_command", file="mine.sty", head="\\usepackage{mine}\n", files={"mine.sty": "\\ProvidesPackage{mine}\n\n% comment\n\\brokensty\n"})
case("used-in-command", "Text.\n\n\\mycommand", 6, "undefined_command", head="\\newcommand{\\mycommand}{\\inner{x}}\n")
SPACES = {"main.tex": article("\\input{\"my part (draft)/file one.tex\"}"), "my part (draft)/file one.tex": "Text\n\n\\brokenspace\n"}
case("spaces", "", 3, "undefined_command", file="my part (draft)/file one.tex", files=SPACES)
case("spaces-fle", "", 3, "undefined_command", file="my part (draft)/file one.tex", files=SPACES, flags=BOTH)
case("spaces-xelatex", "", 3, "undefined_command", file="my part (draft)/file one.tex", files=SPACES, engine="xelatex")
case("spaces-lualatex", "", 3, "undefined_command", file="my part (draft)/file one.tex", files=SPACES, engine="lualatex")
LONG = "chapters/" + "a-very-long-name-" * 5 + "end"
case("long-name", "", 2, "undefined_command", file=LONG + ".tex", files={"main.tex": article(f"\\input{{{LONG}}}"), LONG + ".tex": "Text\n\\brokenlong\n"})
case("long-name-fle", "", 2, "undefined_command", file=LONG + ".tex", flags=BOTH, files={"main.tex": article(f"\\input{{{LONG}}}"), LONG + ".tex": "Text\n\\brokenlong\n"})
case("unicode-name", "", 2, "undefined_command", file="kapitel/übersicht-ä.tex", files={"main.tex": article("\\input{kapitel/übersicht-ä}"), "kapitel/übersicht-ä.tex": "Text\n\\brokenuml\n"})
case("unicode-name-xelatex", "", 2, "undefined_command", file="kapitel/" + "übersicht-ä" * 8 + ".tex", engine="xelatex", files={"main.tex": article("\\input{kapitel/" + "übersicht-ä" * 8 + "}"), "kapitel/" + "übersicht-ä" * 8 + ".tex": "Text\n\\brokenuml\n"})
case("unicode-name-lualatex", "", 2, "undefined_command", file="kapitel/" + "übersicht-ä" * 8 + ".tex", engine="lualatex", files={"main.tex": article("\\input{kapitel/" + "übersicht-ä" * 8 + "}"), "kapitel/" + "übersicht-ä" * 8 + ".tex": "Text\n\\brokenuml\n"})
case("unicode-name-wrapped", "", 2, "undefined_command", file="kapitel/" + "übersicht-ä" * 8 + ".tex", files={"main.tex": article("\\input{kapitel/" + "übersicht-ä" * 8 + "}"), "kapitel/" + "übersicht-ä" * 8 + ".tex": "Text\n\\brokenuml\n"})
case("main-with-dots", "", 3, "undefined_command", file="my.paper.v2.tex", main="my.paper.v2.tex", log="my.paper.v2.log", files={"my.paper.v2.tex": article("\\brokendots")})
case("long-warning", "", 7, "undefined_command", file="main.tex", files={"main.tex": article("See \\ref{" + "verylonglabel" * 7 + "} and \\cite{" + "verylongkey" * 9 + "}.\n" + "x" * 60 + "\n\\typeout{" + "y" * 79 + "}\n\n\\brokenlong")})
case("subfile-deep-warning", "", 3, "undefined_reference", file="parts/three.tex", files={**DEEP, "parts/two.tex": "Two.\n\\input{parts/three}\n", "parts/three.tex": "Three.\n\nSee \\ref{none} here.\n"})

# Other engines.
case("xelatex-undefined", "Text.\n\n\\brokenx", 5, "undefined_command", engine="xelatex")
case("xelatex-font", "Text.", 3, "missing_font", head="\\usepackage{fontspec}\n\\setmainfont{No Such Font}\n", engine="xelatex")
case("lualatex-font", "Text.", 3, "missing_font", head="\\usepackage{fontspec}\n\\setmainfont{No Such Font}\n", engine="lualatex")
case("fontspec-pdflatex", "Text.", None, "engine", head="\\usepackage{fontspec}\n", at=2)
case("lualatex-undefined", "Text.\n\n\\brokenx", 5, "undefined_command", engine="lualatex", flags=BOTH)
case("lua-runtime", "Text.\n\n\\directlua{nosuch.call()}", 5, "lua", engine="lualatex")
case("lua-runtime-fle", "Text.\n\n\\directlua{nosuch.call()}", 5, "lua", engine="lualatex", flags=BOTH)
case("lua-syntax", "Text.\n\n\\directlua{if x then}", 5, "lua", engine="lualatex")
case("lualatex-dollar", "A b_1 c.", 3, "missing_math", engine="lualatex")
case("xelatex-halt", "A b_1 c.", 3, "missing_math", engine="xelatex", flags=HALT)

# Bibliography, index and latexmk.
BIB = "@article{one,\n  author = {A},\n  title = {T},\n  journal = {J},\n  year = 2020\n}\n"
BIBTEX = "As \\cite{one}.\n\\bibliographystyle{plain}\n\\bibliography{refs}"
STEPS = ["pdflatex", "bibtex"]
case("bibtex-missing-database", BIBTEX, 4, "missing_file", file="main.aux", steps=STEPS, log="main.blg")
case("bibtex-missing-style", BIBTEX.replace("plain", "nosuchstyle"), 3, "missing_file", file="main.aux", steps=STEPS, log="main.blg", files={"refs.bib": BIB})
case("bibtex-missing-key", BIBTEX.replace("one", "two"), None, "undefined_citation", file=None, steps=STEPS, log="main.blg", files={"refs.bib": BIB})
case("bibtex-missing-comma", BIBTEX, 3, "bibliography", file="refs.bib", steps=STEPS, log="main.blg", files={"refs.bib": BIB.replace("{A},", "{A}")})
case("bibtex-repeated", BIBTEX, 7, "bibliography", file="refs.bib", steps=STEPS, log="main.blg", files={"refs.bib": BIB + BIB})
case("bibtex-unclosed", BIBTEX, 6, "bibliography", file="refs.bib", steps=STEPS, log="main.blg", files={"refs.bib": BIB.replace("{T},", "{T,")})
case("bibtex-empty-year", BIBTEX, None, "bibliography", file=None, steps=STEPS, log="main.blg", files={"refs.bib": BIB.replace("  year = 2020\n", "")})
case("bibtex-string", BIBTEX, 4, "bibliography", file="refs.bib", steps=STEPS, log="main.blg", files={"refs.bib": BIB.replace("{J}", "nosuchstring")})
case("bibtex-output", BIBTEX, 3, "bibliography", file="refs.bib", steps=STEPS, log="output", files={"refs.bib": BIB.replace("{A},", "{A}")})
case("bibtex-nothing-cited", "\\bibliographystyle{plain}\n\\bibliography{refs}", None, "bibliography", file="main.aux", steps=STEPS, log="main.blg", files={"refs.bib": BIB})
BIBER_HEAD = "\\usepackage{biblatex}\n\\addbibresource{refs.bib}\n"
BIBER = "As \\cite{one}.\n\\printbibliography"
BSTEPS = ["pdflatex", "biber"]
case("biber-missing-database", BIBER, None, "missing_file", head=BIBER_HEAD, file=None, steps=BSTEPS, log="main.blg")
case("biber-missing-key", BIBER.replace("one", "two"), None, "undefined_citation", head=BIBER_HEAD, file=None, steps=BSTEPS, log="main.blg", files={"refs.bib": BIB})
case("biber-syntax", BIBER, 3, "bibliography", head=BIBER_HEAD, file="refs.bib", steps=BSTEPS, log="main.blg", files={"refs.bib": BIB.replace("{A},", "{A}")})
case("biber-output", BIBER, None, "undefined_citation", head=BIBER_HEAD, file=None, steps=BSTEPS, log="output", files={"refs.bib": BIB.replace("one", "other")})
case("biblatex-missing-key", BIBER.replace("one", "two"), 5, "undefined_citation", head=BIBER_HEAD, steps=["pdflatex", "biber", "pdflatex"], files={"refs.bib": BIB})
case("biblatex-not-run", BIBER, 5, "undefined_citation", head=BIBER_HEAD, files={"refs.bib": BIB})
INDEX = "\\usepackage{makeidx}\\makeindex\n"
case("makeindex-bad-entry", "A\\index{a!b!c!d!e}\n\\printindex", 1, "index", head=INDEX, file="main.idx", steps=["pdflatex", "makeindex"], log="main.ilg")
case("latexmk-undefined", "Text.\n\n\\brokenmk", 5, "undefined_command", steps=["latexmk"], log="output")
case("latexmk-missing-input", "Text.\n\\input{nosuchfile}", 4, "missing_file", steps=["latexmk"], log="output")
case("latexmk-bibtex", BIBTEX, 3, "bibliography", file="refs.bib", steps=["latexmk"], log="output", files={"refs.bib": BIB.replace("{A},", "{A}")})
case("latexmk-citation", BIBTEX.replace("one", "two"), None, "undefined_citation", file=None, steps=["latexmk"], log="output", files={"refs.bib": BIB})
case("latexmk-fine", BIBTEX, None, None, file=None, steps=["latexmk"], log="output", files={"refs.bib": BIB})
case("fine", "Text (with parentheses :-) and more.", None, None, file=None)
case("fine-lualatex", "Text.", None, None, file=None, engine="lualatex")
case("fine-hyperref", "\\section{A}Text \\ref{a}\\label{a}.", None, None, file=None, head="\\usepackage{hyperref,tikz,siunitx}\n", steps=["pdflatex", "pdflatex", "pdflatex"])
