import { chromaOf, type Color, isColorful, over } from './color.ts'
import { borderOf } from './buttons.ts'
import { type ColorOf, groundOf, type Sample } from './samples.ts'
import { roleWords, variableColor, type Variables } from './variables.ts'

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
  const ground = groundOf(sample)
  const text = sample.color('color')
  if (!ground || !text) return []
  return [ground, over(text, ground), borderOf(sample, ground)].filter((color) => color !== undefined)
}
