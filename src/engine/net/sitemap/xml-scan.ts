/** Takes the parts of an XML text in their order. */
export type XmlSink = {
  /** Name in lower case, with its prefix; `attributes` as written. An empty element is opened and closed. */
  open(name: string, attributes: string): void
  close(name: string): void
  /** Perhaps in several pieces; `raw` has references in it, `literal` (CDATA) has none. */
  text(piece: string, kind: 'raw' | 'literal'): void
}
export type Scanner = { push(chunk: string): void; end(): void }

/** A longer tag is none. */
const maxTagLength = 65_536
const cdataStart = '<![CDATA['

/** What is passed over until its end, however long it is, without being kept. */
type Passing = { until: string; kind: 'literal' | 'ignored' }

/**
 * Scans XML in chunks, whole or broken, in one pass and flat memory. Nothing declared in it is ever expanded. What
 * cannot be a tag is text; a tag that is cut by another one is left out.
 */
export function createXmlScanner(sink: XmlSink): Scanner {
  let rest = ''
  let passing: Passing | undefined

  /** The place to go on at, or undefined where more text is needed; `kept` is where that begins. */
  type Step = { at: number } | { kept: number }

  function passOver(buffer: string, at: number, { until, kind }: Passing): Step {
    const found = buffer.indexOf(until, at)
    // The last characters may be the beginning of the end.
    const stop = found === -1 ? Math.max(at, buffer.length - until.length + 1) : found
    if (kind === 'literal' && stop > at) sink.text(buffer.slice(at, stop), 'literal')
    if (found === -1) return { kept: stop }
    passing = undefined
    return { at: found + until.length }
  }

  function step(buffer: string, at: number): Step {
    if (passing) return passOver(buffer, at, passing)
    const start = buffer.indexOf('<', at)
    const stop = start === -1 ? buffer.length : start
    if (stop > at) sink.text(buffer.slice(at, stop), 'raw')
    if (start === -1 || buffer.length - start < cdataStart.length) return { kept: stop }
    passing = passingAt(buffer, start)
    if (passing) return { at: start + (passing.kind === 'literal' ? cdataStart.length : 2) }
    return isNameStart(buffer.charCodeAt(start + (buffer[start + 1] === '/' ? 2 : 1)))
      ? tag(buffer, start)
      : { at: start + 1 }
  }

  function tag(buffer: string, start: number): Step {
    const end = buffer.indexOf('>', start)
    const last = buffer.lastIndexOf('<', end === -1 ? buffer.length : end)
    if (last > start) return { at: last }
    if (end === -1) return buffer.length - start > maxTagLength ? { at: start + 1 } : { kept: start }
    meet(sink, buffer.slice(start + 1, end))
    return { at: end + 1 }
  }

  function run(buffer: string): void {
    let at = 0
    for (;;) {
      const next = step(buffer, at)
      if ('kept' in next) return void (rest = buffer.slice(next.kept))
      at = next.at
    }
  }

  return {
    push: (chunk) => run(rest + chunk),
    // Padding, so that a short last tag is looked at.
    end: () => run(`${rest}${' '.repeat(cdataStart.length)}`),
  }
}

function passingAt(buffer: string, start: number): Passing | undefined {
  const second = buffer[start + 1]
  if (second === '?') return { until: '>', kind: 'ignored' }
  if (second !== '!') return undefined
  if (buffer.startsWith(cdataStart, start)) return { until: ']]>', kind: 'literal' }
  return { until: buffer.startsWith('<!--', start) ? '-->' : '>', kind: 'ignored' }
}

/** Letters, `_`, `:` and all that is not ASCII. */
function isNameStart(code: number): boolean {
  const lower = code | 32
  return (lower >= 97 && lower <= 122) || code === 95 || code === 58 || code > 127
}

function meet(sink: XmlSink, inside: string): void {
  if (inside.startsWith('/')) return sink.close(inside.slice(1).trim().toLowerCase())
  const isEmpty = inside.endsWith('/')
  const content = isEmpty ? inside.slice(0, -1) : inside
  const space = content.search(/\s/)
  const name = (space === -1 ? content : content.slice(0, space)).toLowerCase()
  sink.open(name, space === -1 ? '' : content.slice(space))
  if (isEmpty) sink.close(name)
}
