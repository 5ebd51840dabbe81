/** A setting that its user left open comes from a client as nothing, or as the name of the field in place of its value. */
const leftOpen = /^\s*(?:\$\{(?:user_config\.|input:|env:)[^}]*\}\s*)?$/

export const isGiven = (value: string | boolean | undefined) => value !== undefined && !leftOpen.test(String(value))
