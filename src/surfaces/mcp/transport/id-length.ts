/** Characters of the id of a request: it comes back with every answer. */
export const maxIdLength = 256
