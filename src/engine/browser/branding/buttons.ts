import { chromaOf, type Color, contrastOf, distanceOf, blend, toHex } from './color.ts'
import { type Box, backgroundOf, isIn, paintOf, type Sample } from './samples.ts'

export type ButtonStyle = {
  face: Color
  isFilled: boolean
  text: Color
  /** Undefined without a border. */
  border: Color | undefined
  radius: string
  score: number
  members: readonly Sample[]
}

const callToAction =
  /^(?:(?:get|start|try|buy|add|sign ?up|join|subscribe|book|order|download|request|create|shop|checkout|contact|donate|install|apply)\b|jetzt|kaufen|anmelden|testen|acheter|essayer|comprar|empezar|registr|購入|申し?込|お?問い?合わせ|資料請求|無料|登録|始め|立即|注册|购买|免费)/i

/** Returns the button styles, best first: the main button has contrast, is near the top, and has a call to action. */
export function buttonStyles(samples: readonly Sample[], window: Pick<Box, 'width' | 'height'>): ButtonStyle[] {
  const groups = new Map<string, ButtonStyle>()
  for (const sample of samples) {
    const style = styleOf(sample, window)
    if (!style) continue
    const key = [toHex(style.face), toHex(style.text), style.border && toHex(style.border)].join()
    const known = groups.get(key)
    groups.set(key, known ? mergeStyles(known, style) : style)
  }
  return Array.from(groups.values(), (style) => ({
    ...style,
    score: style.score + Math.log2(style.members.length) / 2,
  })).sort((one, other) => other.score - one.score)
}

const mergeStyles = (known: ButtonStyle, next: ButtonStyle): ButtonStyle => ({
  ...(next.score > known.score ? next : known),
  members: [...known.members, ...next.members],
})

function styleOf(sample: Sample, window: Pick<Box, 'width' | 'height'>): ButtonStyle | undefined {
  const { box, label } = sample
  const isSized =
    box.height >= 22 && box.height <= 90 && box.width >= 36 && box.width <= Math.max(360, window.width / 2)
  if (!isSized || label === '' || label.length > 40 || isIn(sample, 'overlay', 'pre')) return undefined
  const background = backgroundOf(sample.parent)
  const text = sample.color('color')
  if (!background || !text) return undefined
  const paint = paintOf(sample)
  const face = paint ? blend(paint, background) : background
  const isFilled = distanceOf(face, background) > 0.03
  const border = borderOf(sample, background)
  if (!isFilled && !border) return undefined
  if (!isButton(sample)) return undefined
  const score = scoreOf(sample, { face, background, isFilled }, window)
  return {
    face,
    isFilled,
    text: blend(text, face),
    border,
    radius: sample.css('border-top-left-radius'),
    score,
    members: [sample],
  }
}

/** A link counts as a button when it has padding. */
function isButton(sample: Sample): boolean {
  if (sample.tag === 'button' || sample.kind === 'button') return true
  if (sample.tag === 'input') return /^(?:submit|button)$/.test(sample.kind)
  return sample.tag === 'a' && (sample.px('padding-left') >= 8 || /flex|grid/.test(sample.css('display')))
}

export function borderOf(sample: Sample, background: Color): Color | undefined {
  const color = sample.color('border-top-color')
  if (!color || sample.css('border-top-style') === 'none' || sample.px('border-top-width') < 1) return undefined
  return distanceOf(blend(color, background), background) > 0.03 ? blend(color, background) : undefined
}

type FaceColors = { face: Color; background: Color; isFilled: boolean }

function scoreOf(sample: Sample, { face, background, isFilled }: FaceColors, window: Pick<Box, 'height'>): number {
  const { box, label } = sample
  const standsOut = isFilled ? Math.min(3, Math.log2(contrastOf(face, background))) + chromaOf(face) * 14 : 0
  const height = box.top < window.height ? 1.5 : box.top < 2 * window.height ? 0.5 : 0
  const size = box.height >= 44 ? 1 : box.height >= 36 ? 0.5 : 0
  const words = callToAction.test(label) ? 1.5 : 0
  const place = isIn(sample, 'footer', 'aside') ? -1.5 : 0
  return standsOut + height + size + words + place
}

/** Returns the style of a button next to the main button, otherwise the next best style. */
export function secondaryButton(buttons: readonly ButtonStyle[], first: ButtonStyle): ButtonStyle | undefined {
  const others = buttons.filter((style) => style !== first)
  const isBeside = ({ members }: ButtonStyle) =>
    members.some((member) => first.members.some(({ box }) => areSideBySide(member.box, box)))
  return others.find(isBeside) ?? others[0]
}

const areSideBySide = (one: Box, other: Box) =>
  Math.abs(one.top - other.top) < one.height &&
  Math.abs(one.height - other.height) <= 4 &&
  Math.max(one.left, other.left) - Math.min(one.left + one.width, other.left + other.width) < 40
