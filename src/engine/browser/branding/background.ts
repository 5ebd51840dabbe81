import { borderOf } from './buttons.ts'
import { chromaOf, type Color, fromHex, isColorful, blend, toHex } from './color.ts'
import { type Box, canvasOf, type ColorOf, backgroundOf, isIn, paintOf, type Sample } from './samples.ts'
import { heaviest } from './tally.ts'
import { roleWords, variableColor, type Variables } from './variables.ts'

type PaintedArea = { box: Box; color: Color | undefined }

const columns = 9
const rowsOfWindow = 9
/** Further down a page is mostly more of the same, or its footer. */
const windows = 3
const canvasShare = 0.25

/**
 * The colour that most of the page is painted with, seen at points of a grid over its first windows. Cards and sections
 * lie on the canvas, so a good part of it is enough for the canvas.
 */
export function pageBackground(samples: readonly Sample[], window: Pick<Box, 'width' | 'height'>): Color {
  const painted = samples.filter((sample) => !isIn(sample, 'overlay')).flatMap(areaOf)
  const canvas = canvasColor(samples)
  const height = Math.min(windows * window.height, Math.max(window.height, samples[0]?.box.height ?? 0))
  const rows = Math.ceil((rowsOfWindow * height) / window.height)
  const points = Array.from({ length: columns * rows }, (_, at) => ({
    left: (((at % columns) + 0.5) * window.width) / columns,
    top: ((Math.floor(at / columns) + 0.5) * height) / rows,
  }))
  const seen = points.flatMap((point) => {
    const top = painted.findLast(({ box }) => holds(box, point))
    if (!top) return [canvas]
    return top.color ? [top.color] : []
  })
  const ofCanvas = seen.filter((color) => toHex(color) === toHex(canvas)).length
  const most = heaviest(seen, toHex)
  return most === undefined || ofCanvas >= canvasShare * seen.length ? canvas : fromHex(most)
}

/** The page is painted as its root is or, where that is not, as its body is (CSS Backgrounds 3, 2.11.2). */
function canvasColor(samples: readonly Sample[]): Color {
  const body = samples.find(({ tag }) => tag === 'body')
  return (body && backgroundOf(body)) ?? canvasOf(samples[0])
}

/** Elements that hide what is below them; pictures and gradients hide it too, with a colour nobody can name. */
function areaOf(sample: Sample): PaintedArea[] {
  const { tag, box } = sample
  if (box.width * box.height < 400 || tag === 'html') return []
  if (/^(?:img|video|canvas|iframe)$/.test(tag)) return [{ box, color: undefined }]
  const paint = paintOf(sample)
  const isPlain = sample.gradient.length === 0 || tag === 'body'
  return paint || sample.hasPicture ? [{ box, color: isPlain ? backgroundOf(sample) : undefined }] : []
}

const holds = ({ left, top, width, height }: Box, point: { left: number; top: number }) =>
  point.left >= left && point.left < left + width && point.top >= top && point.top < top + height

const statusRoles = ['success', 'warning', 'error'] as const
const wordOf = (role: (typeof statusRoles)[number]) =>
  new RegExp(`(?:^|[\\s_-])(?:${roleWords[role].join('|')})(?:$|[\\s_-])`, 'i')

/** The colour of good news, of caution or of failure: as a style variable tells it, or else as things so named are painted. */
export function statusColor(
  role: (typeof statusRoles)[number],
  samples: readonly Sample[],
  variables: Variables,
  colorOf: ColorOf,
): Color | undefined {
  const declared = variableColor(variables, role, colorOf)
  if (declared && isColorful(declared)) return declared
  const word = wordOf(role)
  const colors = samples.filter(({ hint }) => word.test(hint)).flatMap(colorsOf)
  return colors.filter(isColorful).toSorted((one, other) => chromaOf(other) - chromaOf(one))[0]
}

/** Whether a thing is named for what it reports; its colour is then not the brand's. */
export const isStatus = ({ hint }: Sample): boolean => statusRoles.some((role) => wordOf(role).test(hint))

function colorsOf(sample: Sample): Color[] {
  const background = backgroundOf(sample)
  const text = sample.color('color')
  if (!background || !text) return []
  return [background, blend(text, background), borderOf(sample, background)].filter((color) => color !== undefined)
}
