import * as tfn from 'stdnum/lib/cjs/au/tfn.js'
import * as cpf from 'stdnum/lib/cjs/br/cpf.js'
import * as sin from 'stdnum/lib/cjs/ca/sin.js'
import * as run from 'stdnum/lib/cjs/cl/run.js'
import * as residentId from 'stdnum/lib/cjs/cn/ric.js'
import * as hkid from 'stdnum/lib/cjs/hk/hkid.js'
import * as israeliId from 'stdnum/lib/cjs/il/idnr.js'
import * as aadhaar from 'stdnum/lib/cjs/in/aadhaar.js'
import * as kennitala from 'stdnum/lib/cjs/is/kennitala.js'
import * as rrn from 'stdnum/lib/cjs/kr/rrn.js'
import * as curp from 'stdnum/lib/cjs/mx/curp.js'
import * as thaiId from 'stdnum/lib/cjs/th/idnr.js'
import * as taiwaneseId from 'stdnum/lib/cjs/tw/natid.js'
import * as ssn from 'stdnum/lib/cjs/us/ssn.js'
import * as southAfricanId from 'stdnum/lib/cjs/za/idnr.js'

export type NumberShape = {
  shape: RegExp
  check: { validate(value: string): { isValid: boolean } }
  /** The number counts only after its name, because many other numbers pass its check. */
  name?: RegExp
  /** Counts without its name in this form. */
  loose?: RegExp
}

/** Identity numbers of persons outside Europe. */
export const idsElsewhere: readonly NumberShape[] = [
  { shape: /\d{3} ?\d{3} ?\d{3}/, check: tfn, name: /TFN|tax file/i },
  { shape: /\d{3}\.?\d{3}\.?\d{3}-?\d{2}/, check: cpf, name: /CPF/i, loose: /\d{3}\.\d{3}\.\d{3}-\d{2}/ },
  { shape: /\d{3}[- ]?\d{3}[- ]?\d{3}/, check: sin, name: /\bSIN\b|\bNAS\b|social insurance/i },
  { shape: /\d{1,2}\.?\d{3}\.?\d{3}-[0-9K]/i, check: run },
  { shape: /\d{17}[0-9X]/i, check: residentId },
  { shape: /[A-Z]{1,2}\d{6}\([0-9A]\)/i, check: hkid },
  { shape: /\d{9}/, check: israeliId, name: /ת["״.]?ז|תעודת|Teudat|Israeli ID/i },
  { shape: /\d{4}[ -]?\d{4}[ -]?\d{4}/, check: aadhaar, name: /aadhaar|आधार/i, loose: /\d{4}[ -]\d{4}[ -]\d{4}/ },
  { shape: /\d{6}-\d{4}/, check: kennitala },
  { shape: /\d{6}-[0-9]\d{6}/, check: rrn },
  { shape: /[A-Z]{4}\d{6}[HM][A-Z]{5}[0-9A-Z]\d/i, check: curp },
  { shape: /\d-\d{4}-\d{5}-\d{2}-\d|\d{13}/, check: thaiId, name: /บัตร|Thai/i, loose: /\d-\d{4}-\d{5}-\d{2}-\d/ },
  { shape: /[A-Z][12]\d{8}/i, check: taiwaneseId },
  { shape: /\d{3}-\d{2}-\d{4}/, check: ssn },
  { shape: /\d{13}/, check: southAfricanId },
]
