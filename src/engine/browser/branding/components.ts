import type { Branding } from '../../../schema/scrape/branding.ts'
import { borderOf, type ButtonStyle } from './buttons.ts'
import { type Color, blend, toHex, white } from './color.ts'
import { omitEmpty } from './omit-empty.ts'
import { backgroundOf, isIn, paintOf, type Sample } from './samples.ts'
import { isField } from './layout.ts'
import { heaviest } from './tally.ts'

type Components = NonNullable<Branding['components']>
type Button = NonNullable<Components['input']>

export function componentsOf(
  samples: readonly Sample[],
  first: ButtonStyle | undefined,
  second: ButtonStyle | undefined,
): Components {
  return omitEmpty({
    buttonPrimary: first && buttonOf(first),
    buttonSecondary: second && buttonOf(second),
    input: inputOf(samples),
  })
}

function buttonOf({ face, text, border, radius }: ButtonStyle): Button {
  return omitEmpty({
    background: toHex(face),
    textColor: toHex(text),
    borderColor: hexOf(border),
    borderRadius: radius,
  })
}

/** The look that most fields have. */
function inputOf(samples: readonly Sample[]): Button | undefined {
  const fields = samples.filter((sample) => isField(sample) && !isIn(sample, 'overlay')).map(fieldStyle)
  const most = heaviest(fields, (look) => JSON.stringify(look))
  return fields.find((look) => JSON.stringify(look) === most)
}

/** Many a field is bare, and the box around it is what looks like the field. */
function fieldStyle(field: Sample): Button {
  const around = field.parent
  const isBare =
    !borderOf(field, backgroundOf(field.parent) ?? white) && field.px('border-bottom-width') < 1 && !paintOf(field)
  const shown = isBare && around && around.box.height <= field.box.height + 40 ? around : field
  const background = backgroundOf(shown.parent) ?? white
  const face = backgroundOf(shown) ?? background
  const text = field.color('color')
  return omitEmpty({
    background: toHex(face),
    textColor: text && toHex(blend(text, face)),
    borderColor: hexOf(borderOf(shown, background)),
    borderRadius: shown.css('border-top-left-radius') || undefined,
  })
}

const hexOf = (color: Color | undefined) => color && toHex(color)
