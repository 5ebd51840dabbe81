import { type Drawn, lines, type Sheet } from './make-pdf.ts'

/** A generated file with text that its markdown must contain, and text that it must not contain. */
export type Paper = {
  name: string
  sheets: readonly Sheet[]
  /** Required text by page. */
  kept: readonly (readonly string[])[]
  /** Running heads, feet and page numbers. */
  gone: readonly string[]
  /** `with heads` if more than page numbers is left out. */
  heads: 'with heads' | 'without'
}

type Variant = { pages: number; numbering: 'none' | 'Page # of #' | '#'; head?: string }

const variants: readonly Variant[] = [
  { pages: 2, numbering: 'none' },
  { pages: 3, numbering: 'Page # of #' },
  { pages: 4, numbering: '#' },
  { pages: 9, numbering: 'none' },
  { pages: 12, numbering: 'Page # of #' },
  { pages: 2, numbering: '#', head: 'Harbour authority of the northern wall' },
  { pages: 3, numbering: 'Page # of #', head: 'Harbour authority of the northern wall' },
  { pages: 5, numbering: 'none', head: 'Form 12 b, harbour authority' },
  { pages: 9, numbering: '#', head: 'Harbour authority 2024' },
  { pages: 41, numbering: 'Page # of #', head: 'Harbour authority' },
]

type Body = (page: number) => { texts: Drawn[]; kept: string[] }

function paper(kind: string, variant: Variant, body: Body, size: readonly [number, number] = [595, 842]): Paper {
  const { pages, numbering, head } = variant
  const bodies = Array.from({ length: pages }, (_, index) => body(index + 1))
  const sheets = bodies.map(({ texts }, index): Sheet => {
    const number = numberOn(index + 1, variant)
    const edges: Drawn[] = [
      ...(head ? [{ text: head, x: 40, y: 16, size: 8 }] : []),
      ...(number ? [{ text: number, x: size[0] / 2, y: size[1] - 10, size: 8 }] : []),
    ]
    return { texts: [...edges, ...texts], size }
  })
  const numbers = bodies.map((_, index) => numberOn(index + 1, variant)).filter((text) => text?.startsWith('Page'))
  return {
    name: `${kind}, ${pages} pages, ${head ? 'a head' : 'no head'}, numbers: ${numbering}`,
    sheets,
    kept: bodies.map(({ kept }) => kept),
    gone: [...(head ? [head] : []), ...numbers.map((text) => text!)],
    heads: head ? 'with heads' : 'without',
  }
}

function numberOn(page: number, { pages, numbering }: Variant): string | undefined {
  if (numbering === 'none') return undefined
  return numbering === '#' ? `${page}` : `Page ${page} of ${pages}`
}

/** Lines one under the other, all at the same distance. */
function column(texts: readonly string[], at: { y: number; pitch: number; x?: number; size?: number }): Drawn[] {
  const { y, pitch, x = 40, size = 11 } = at
  return texts.map((text, index) => ({ text, x, y: y + index * pitch, size }))
}

const form: Body = (page) => {
  const kept = [`Permit for berth ${page}`, 'Name of the ship:', 'Length in metres:', 'Signature of the master:']
  return { texts: column(kept, { y: 50, pitch: 24 }), kept }
}

const ticket: Body = (page) => {
  const kept = [`Ticket ${1041 + page} for the night ferry`]
  return { texts: [{ text: kept[0]!, x: 40, y: 40 }], kept }
}

const sentence = 'Which of these ships came in first, and along which wall was she tied up?'

const quiz: Body = (page) => {
  const kept = [`Question ${page}`, sentence]
  return { texts: [{ text: kept[0]!, x: 40, y: 60 }, ...lines(sentence, { x: 40, y: 130 })], kept }
}

const invoice: Body = (page) => {
  const goods = [`Oak beams: ${page * 3} metres`, `Sum to pay: ${page * 37}.50`]
  const kept = [`Invoice 2024-${100 + page}`, ...goods, `Please name ${100 + page} when you pay.`]
  const foot: Drawn = { text: kept[3]!, x: 40, y: 800 }
  return { texts: [{ text: kept[0]!, x: 40, y: 60 }, ...column(goods, { y: 200, pitch: 16 }), foot], kept }
}

const slide: Body = (page) => {
  const kept = [`Part ${page}`, 'Timber', 'Wool']
  return {
    texts: [{ text: kept[0]!, x: 40, y: 44, size: 18 }, ...column(kept.slice(1), { y: 120, pitch: 30, size: 18 })],
    kept,
  }
}

/** Fifty files of the kinds whose pages are alike but for a number. */
export const officePapers: readonly Paper[] = variants.flatMap((variant) => [
  paper('form', variant, form),
  paper('ticket', variant, ticket, [300, 150]),
  paper('quiz', variant, quiz),
  paper('invoice', variant, invoice),
  paper('slides', variant, slide, [720, 405]),
])
