/**
 * Stands in for markdown-to-jsx, which the form library imports: no text of ours is markdown, and the parser would
 * be a third of the forms' code.
 */
export const Markdown = ({ children }: { children?: string }) => children ?? null
