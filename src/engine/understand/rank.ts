/** Kept until its last users import it from where it is. */
export { termsOf } from '../../util/rank.ts'
