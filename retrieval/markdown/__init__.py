"""Reading notes: frontmatter, headings, passages, links."""
