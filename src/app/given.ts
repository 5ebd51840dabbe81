/** Clients pass an unset setting as an empty text, or as the unexpanded name of the field. */
const leftOpen = /^\s*(?:\$\{(?:user_config\.|input:|env:)[^}]*\}\s*)?$/

export const isGiven = (value: string | boolean | undefined) => value !== undefined && !leftOpen.test(String(value))
