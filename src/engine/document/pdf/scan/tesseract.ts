import { spawn } from 'node:child_process'
import { element, escapeHtml } from '../../markup/markup.ts'
import type { Part } from '../block-html.ts'
import { joint } from '../text/inline.ts'

export async function hasTesseract(): Promise<boolean> {
  return (await outputOf('tesseract', ['--version'], new Uint8Array())) !== undefined
}

/** Paragraphs in a picture (PGM, PBM, PPM). A picture without words has none. */
export async function recognised(picture: Uint8Array): Promise<Part[]> {
  const output = await outputOf('tesseract', ['stdin', 'stdout', '-l', 'eng', 'tsv'], picture)
  return output ? paragraphsOf(output.toString('utf8')) : []
}

/** Certainty, in percent, below which a word is noise rather than a misread word. */
const minCertainty = 20

/** The columns of tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, certainty, text. */
export function paragraphsOf(table: string): Part[] {
  const paragraphs = new Map<string, Map<string, string[]>>()
  for (const row of table.split('\n').slice(1)) {
    const [level, , block, paragraph, line, , , , , , certainty, ...text] = row.split('\t')
    const word = text.join(' ').trim()
    if (level !== '5' || word === '' || Number(certainty) < minCertainty || line === undefined) continue
    const key = `${block} ${paragraph}`
    const lines = paragraphs.get(key) ?? new Map<string, string[]>()
    lines.set(line, [...(lines.get(line) ?? []), word])
    paragraphs.set(key, lines)
  }
  return [...paragraphs.values()].map((lines) => {
    const text = [...lines.values()].map((words) => words.join(' ')).reduce(joined, '')
    return { kind: 'html', html: element('p', escapeHtml(text)) }
  })
}

function joined(text: string, line: string): string {
  if (text === '') return line
  const { kept, between } = joint(text, line)
  return kept + between + line
}

const maxOutputBytes = 100_000_000
const maxTimeMs = 120_000

/**
 * Runs a program of this machine with bytes on its stdin, and gives what it writes; undefined when there is no such
 * program or it fails. No shell, no files; what it was told to do ends with its stdin, output cap or time.
 */
export function outputOf(command: string, args: readonly string[], input: Uint8Array): Promise<Buffer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>()
  const chunks: Buffer[] = []
  let bytes = 0
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: maxTimeMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  })
  child.once('error', () => resolve(undefined))
  child.once('close', (code) => resolve(code === 0 && bytes <= maxOutputBytes ? Buffer.concat(chunks) : undefined))
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes > maxOutputBytes) child.kill('SIGKILL')
    else chunks.push(chunk)
  })
  // A program may end before it has read everything; its exit code says whether that was a failure.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return promise
}
