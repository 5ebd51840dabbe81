import type { Branding } from '../../../schema/scrape/branding.ts'
import { borderOf, type Look } from './buttons.ts'
import { type Color, over, toHex, white } from './color.ts'
import { given } from './given.ts'
import { groundOf, isIn, paintOf, type Sample } from './samples.ts'
import { isField } from './spacing.ts'
import { heaviest } from './tally.ts'

type Components = NonNullable<Branding['components']>
type Button = NonNullable<Components['input']>

export function componentsOf(
  samples: readonly Sample[],
  first: Look | undefined,
  second: Look | undefined,
): Components {
  return given({
    buttonPrimary: first && buttonOf(first),
    buttonSecondary: second && buttonOf(second),
    input: inputOf(samples),
  })
}

function buttonOf({ face, text, border, radius }: Look): Button {
  return given({ background: toHex(face), textColor: toHex(text), borderColor: hexOf(border), borderRadius: radius })
}

/** The look that most fields have. */
function inputOf(samples: readonly Sample[]): Button | undefined {
  const fields = samples.filter((sample) => isField(sample) && !isIn(sample, 'overlay')).map(fieldLook)
  const most = heaviest(fields, (look) => JSON.stringify(look))
  return fields.find((look) => JSON.stringify(look) === most)
}

/** Many a field is bare, and the box around it is what looks like the field. */
function fieldLook(field: Sample): Button {
  const around = field.parent
  const isBare =
    !borderOf(field, groundOf(field.parent) ?? white) && field.px('border-bottom-width') < 1 && !paintOf(field)
  const shown = isBare && around && around.box.height <= field.box.height + 40 ? around : field
  const ground = groundOf(shown.parent) ?? white
  const face = groundOf(shown) ?? ground
  const text = field.color('color')
  return given({
    background: toHex(face),
    textColor: text && toHex(over(text, face)),
    borderColor: hexOf(borderOf(shown, ground)),
    borderRadius: shown.css('border-top-left-radius') || undefined,
  })
}

const hexOf = (color: Color | undefined) => color && toHex(color)
