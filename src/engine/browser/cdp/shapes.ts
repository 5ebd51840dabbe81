export type { CdpMessage, Wire, WireListener } from './wire.ts'
