/** Clients pass an empty text or a placeholder, such as `${user_config.key}`, for a setting that the user left empty. */
const leftOpen = /^\s*(?:\$\{(?:user_config\.|input:|env:)[^}]*\}\s*)?$/

export const isGiven = (value: string | boolean | undefined) => value !== undefined && !leftOpen.test(String(value))
