/** A word of the text in each answer. */
export const word = 'CHECKWORD'
const text = `<!doctype html><title>Weft</title><p>${word} and enough text to be read as a page of its own.</p>`
const ok = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n'
const hex = text.length.toString(16)

/** Answers that the tolerant parser reads. */
export const tolerated: readonly (readonly [kind: string, answer: string])[] = [
  ['a folded header', `${ok}X-Foo: 1\r\n  two\r\n\r\n${text}`],
  ['a control character in a header', `${ok}X-A: a\x01b\r\n\r\n${text}`],
  ['chunks and a length', `${ok}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${hex}\r\n${text}\r\n0\r\n\r\n`],
  ['lines that end with LF alone', `${ok.replaceAll('\r', '')}\n${text}`],
  [
    '70 kB of headers',
    `${ok}${Array.from({ length: 35 }, (_, nth) => `X-${nth}: ${'v'.repeat(2000)}\r\n`).join('')}\r\n${text}`,
  ],
  ['100 Continue before it', `HTTP/1.1 100 Continue\r\n\r\n${ok}\r\n${text}`],
  ['a body that is shorter than its length', `${ok}Content-Length: ${text.length + 9}\r\n\r\n${text}`],
  ['chunks without the last', `${ok}Transfer-Encoding: chunked\r\n\r\n${hex}\r\n${text}\r\n`],
]

/** Answers that only a browser reads. */
export const browsed: readonly (readonly [kind: string, answer: string])[] = [
  ['a space in a header name', `${ok}X-Cache Status: HIT\r\n\r\n${text}`],
  ['a line without a colon', `${ok}this is no header\r\n\r\n${text}`],
  ['the same length twice', `${ok}Content-Length: ${text.length}\r\nContent-Length: ${text.length}\r\n\r\n${text}`],
]
