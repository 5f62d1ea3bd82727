"""Write a formula as one line of text, from the MathML that KaTeX makes of it: w = (S + nλI)⁻¹u."""

import re
from xml.etree import ElementTree

__all__ = ["spell_formula"]

RAISED = str.maketrans("0123456789+-−n⊤T∗′∘", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿᵀᵀ*′°")
LOWERED = str.maketrans("0123456789ijkn", "₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙ")
DOUBLE = str.maketrans("CENPRZ", "ℂ𝔼ℕℙℝℤ")
ACCENTS = {"^": "\u0302", "~": "\u0303", "ˉ": "\u0304", "‾": "\u0304", "¯": "\u0304"}
SPACED = re.compile(r"[=<>≤≥≈≔∈⊂→←↦∼≪≫+−±·×⋅∖∪∩⟺⇒⟹∝≠:]")


def spell_formula(markup: str) -> str:
    """Return the text of a formula in KaTeX's markup."""
    found = re.search(r"<math.*?</math>", markup, re.DOTALL)
    text = " ".join(spell(ElementTree.fromstring(found[0])).split()) if found else ""
    return re.sub(r"(^|[(,]) ?− ", r"\1−", text)  # a sign, not an operation


def spell(element):
    """Write an element of MathML as text."""
    name = element.tag.rpartition("}")[2]
    if name == "annotation":
        return ""
    parts = [spell(child) for child in element]
    match name:
        case "msup":
            return parts[0] + script(parts[1], "^", RAISED)
        case "msub" | "munder":
            return parts[0] + script(parts[1], "_", LOWERED)
        case "msubsup" | "munderover":
            return parts[0] + script(parts[1], "_", LOWERED) + script(parts[2], "^", RAISED)
        case "mover":
            return parts[0] + ACCENTS.get(parts[1].strip(), "")
        case "mfrac":
            return "/".join(map(grouped, parts))
        case "msqrt":
            return "√" + grouped("".join(parts))
        case "mtr":
            return " ".join(parts) + "; "
    text = (element.text or "").replace("\u2061", "") + "".join(parts)
    if element.get("mathvariant") == "double-struck":
        text = text.translate(DOUBLE)
    return f" {text} " if name == "mo" and SPACED.fullmatch(text) else text


def script(text, sign, table):
    """Write what is raised or lowered: by signs of its own, or after ^ or _."""
    text = text.strip().replace(" ", "")
    if all(ord(letter) in table for letter in text):
        return text.translate(table)
    return sign + grouped(text)


def grouped(text):
    """Put brackets around more than one letter."""
    text = text.strip()
    return text if len(text) == 1 or text.isdigit() else f"({text})"
