import { usableHref } from '../markup/markup.ts'

/**
 * Fields of Word that stand as marks between runs: begin, code, separator, result, end. They nest, and a table of contents
 * runs over many paragraphs.
 */
export type Fields = {
  begin(): void
  code(text: string): void
  separate(): void
  end(): void
  /** Text here is an instruction, or a result that repeats what stands elsewhere. */
  isSilent(): boolean
  href(): string | undefined
}

type Field = { code: string; isResult: boolean }
const maxOpen = 20
const maxCode = 8000

export function createFields(): Fields {
  const open: Field[] = []
  return {
    begin: () => void (open.length < maxOpen && open.push({ code: '', isResult: false })),
    code: (text) => {
      const field = open.at(-1)
      if (field && !field.isResult && field.code.length < maxCode) field.code += text
    },
    separate: () => {
      const field = open.at(-1)
      if (field) field.isResult = true
    },
    end: () => void open.pop(),
    isSilent: () => open.some(({ code, isResult }) => !isResult || isSilentCode(code)),
    href: () => hrefOf(open.findLast(({ code }) => hrefOf(code) !== undefined)?.code ?? ''),
  }
}

/** Lists of what the document holds anyway, and page numbers. */
export const isSilentCode = (code: string) => /^\s*(?:TOC|INDEX|PAGE|NUMPAGES|PAGEREF)\b/i.test(code)

/** The address in a HYPERLINK instruction, with its place in the page; none for a place in the document itself. */
export function hrefOf(code: string): string | undefined {
  const [, quoted, bare] = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s\\"]\S*))/i.exec(code) ?? []
  const place = /\s\\l\s+"([^"]*)"/i.exec(code)?.[1]
  return withPlace(usableHref(quoted?.replaceAll('\\\\', '\\') ?? bare), place)
}

export function withPlace(href: string | undefined, place: string | undefined): string | undefined {
  return href === undefined || !place || href.includes('#') ? href : `${href}#${place}`
}
