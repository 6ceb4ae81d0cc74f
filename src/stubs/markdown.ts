/**
 * Replaces markdown-to-jsx, which the form library imports, in the build: no text is markdown, and the parser
 * would be a third of the code of the forms.
 */
export const Markdown = ({ children }: { children?: string }) => children ?? null
