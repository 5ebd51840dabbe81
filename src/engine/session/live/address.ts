/** What was typed into the address bar as an address of the web: a plain word is a host. Undefined when it is none. */
export function addressOf(typed: string): string | undefined {
  const text = typed.trim()
  if (text === '' || /[\s\\]/.test(text)) return undefined
  if (text === 'about:blank') return text
  // A port looks like the rest of a scheme: `localhost:3000`.
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d{1,5}(?:[/?#]|$))/i.test(text)
  const url = URL.parse(hasScheme ? text : `https://${text}`)
  return url && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.href : undefined
}
