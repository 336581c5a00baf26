"""Tells the paragraphs of a prompt that ask or order from those that tell."""

from __future__ import annotations

from fairwitness.evaluator.patterns import Pattern
from fairwitness.evaluator.text import Region, Text

# An instruction is short; what is longer is the text it is about.
MAX_INSTRUCTION_CHARS = 400


def instructs(prompt: Text, paragraph: Region) -> bool:
    """Tell whether a paragraph asks, orders, or leads up to something with a colon."""
    if paragraph.end - paragraph.start > MAX_INSTRUCTION_CHARS:
        return False
    text = prompt.slice(paragraph).strip()
    return text.endswith(("?", ":")) or ORDER.search(text.encode())


ORDER = Pattern(
    r"^\W*(?:please |now |then |first |can you |could you |i want you to |your task is to )?(?:summari[sz]e|answer|extract|list|translate|explain|write|rewrite|describe|state|tell|say|find|identify|give|use|using|"
    r"based on|according to|what|who|when|where|which|why|how|is|are|does|do|did|can|could|should|would|turn|convert|provide|create|generate|make|paraphrase|shorten|"
    r"return|respond|reply|keep|classify|determine|compare|analy[sz]e|name|quote|draft|read)\b[^\n]*\W*$",
    ignore_case=True,
)
# What people call a text that they hand over.
NOUNS = (
    r"text|passage|paragraph|article|document|context|excerpt|source|notes?|minutes|report|e-?mail|message|letter|record|table|"
    r"data(?: ?sheet)?|transcript|story|abstract|polic(?:y|ies)|contract|agreement|review|information|facts?|memo|leaflet|label|manual|listing|"
    r"invoice|timetable|schedule|statement|snippet|evidence|content|background|knowledge(?: base)?|reference|press release|announcement|"
    r"menu|recipe|specifications?|spec|profile|chart|log|receipt|itinerary|ticket|notice|instructions for use|terms|rules|description|survey|results"
)
