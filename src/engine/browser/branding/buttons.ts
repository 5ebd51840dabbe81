import { chromaOf, type Color, contrastOf, distanceOf, over, toHex } from './color.ts'
import { type Box, groundOf, isIn, paintOf, type Sample } from './samples.ts'

/** Buttons that look alike. */
export type Look = {
  /** Opaque colour of its face, as it shows. */
  face: Color
  isFilled: boolean
  text: Color
  /** Undefined without a border. */
  border: Color | undefined
  radius: string
  score: number
  members: readonly Sample[]
}

const callsToAct =
  /^(?:(?:get|start|try|buy|add|sign ?up|join|subscribe|book|order|download|request|create|shop|checkout|contact|donate|install|apply)\b|jetzt|kaufen|anmelden|testen|acheter|essayer|comprar|empezar|registr|購入|申し?込|お?問い?合わせ|資料請求|無料|登録|始め|立即|注册|购买|免费)/i

/** The looks of a page's buttons, best first: a page's main button stands out, is colourful, high up, and asks to act. */
export function buttonLooks(samples: readonly Sample[], window: Pick<Box, 'width' | 'height'>): Look[] {
  const groups = new Map<string, Look>()
  for (const sample of samples) {
    const look = lookOf(sample, window)
    if (!look) continue
    const key = [toHex(look.face), toHex(look.text), look.border && toHex(look.border)].join()
    const known = groups.get(key)
    groups.set(key, known ? joined(known, look) : look)
  }
  return Array.from(groups.values(), (look) => ({
    ...look,
    score: look.score + Math.log2(look.members.length) / 2,
  })).sort((one, other) => other.score - one.score)
}

const joined = (known: Look, next: Look): Look => ({
  ...(next.score > known.score ? next : known),
  members: [...known.members, ...next.members],
})

function lookOf(sample: Sample, window: Pick<Box, 'width' | 'height'>): Look | undefined {
  const { box, label } = sample
  const isSized =
    box.height >= 22 && box.height <= 90 && box.width >= 36 && box.width <= Math.max(360, window.width / 2)
  if (!isSized || label === '' || label.length > 40 || isIn(sample, 'overlay', 'pre')) return undefined
  const ground = groundOf(sample.parent)
  const text = sample.color('color')
  if (!ground || !text) return undefined
  const paint = paintOf(sample)
  const face = paint ? over(paint, ground) : ground
  const isFilled = distanceOf(face, ground) > 0.03
  const border = borderOf(sample, ground)
  if (!isFilled && !border) return undefined
  if (!isPressed(sample)) return undefined
  const score = scoreOf(sample, { face, ground, isFilled }, window)
  return {
    face,
    isFilled,
    text: over(text, face),
    border,
    radius: sample.css('border-top-left-radius'),
    score,
    members: [sample],
  }
}

/** A link is a button when it has room around its text. */
function isPressed(sample: Sample): boolean {
  if (sample.tag === 'button' || sample.kind === 'button') return true
  if (sample.tag === 'input') return /^(?:submit|button)$/.test(sample.kind)
  return sample.tag === 'a' && (sample.px('padding-left') >= 8 || /flex|grid/.test(sample.css('display')))
}

export function borderOf(sample: Sample, ground: Color): Color | undefined {
  const color = sample.color('border-top-color')
  if (!color || sample.css('border-top-style') === 'none' || sample.px('border-top-width') < 1) return undefined
  return distanceOf(over(color, ground), ground) > 0.03 ? over(color, ground) : undefined
}

type Face = { face: Color; ground: Color; isFilled: boolean }

function scoreOf(sample: Sample, { face, ground, isFilled }: Face, window: Pick<Box, 'height'>): number {
  const { box, label } = sample
  const standsOut = isFilled ? Math.min(3, Math.log2(contrastOf(face, ground))) + chromaOf(face) * 14 : 0
  const height = box.top < window.height ? 1.5 : box.top < 2 * window.height ? 0.5 : 0
  const size = box.height >= 44 ? 1 : box.height >= 36 ? 0.5 : 0
  const words = callsToAct.test(label) ? 1.5 : 0
  const place = isIn(sample, 'footer', 'aside') ? -1.5 : 0
  return standsOut + height + size + words + place
}

/** The one that stands next to the main button, or else the next best. */
export function secondLook(looks: readonly Look[], first: Look): Look | undefined {
  const others = looks.filter((look) => look !== first)
  const isBeside = ({ members }: Look) =>
    members.some((member) => first.members.some(({ box }) => areBeside(member.box, box)))
  return others.find(isBeside) ?? others[0]
}

const areBeside = (one: Box, other: Box) =>
  Math.abs(one.top - other.top) < one.height &&
  Math.abs(one.height - other.height) <= 4 &&
  Math.max(one.left, other.left) - Math.min(one.left + one.width, other.left + other.width) < 40
