"""How the documentation is built: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

import polyseme

sys.path.insert(0, str(Path(__file__).resolve().parent / "ext"))

project = "polyseme"
author = "The polyseme developers"
version = release = polyseme.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "from_code", "measure_pages", "mathml"]
exclude_patterns = ["ext"]
nitpicky = True
# Only our own names have a page here; those of Python and NumPy are looked up elsewhere, and
# looking them up would need the network.
nitpick_ignore_regex = [(r"py:.*", r"(?!polyseme\b).*"), (r"py:.*", r"polyseme\.\w+\..*")]

# Two hyphens begin an option, wherever they stand.
smartquotes = False
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"polyseme {release}"
html_static_path = ["_static"]
html_css_files = ["polyseme.css"]
html_math_renderer = "mathml"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options: dict[str, list[str]] = {"top_of_page_buttons": []}
pygments_style = "tango"
