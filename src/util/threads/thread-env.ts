/**
 * The environment of a thread: none of ours, but it keeps compiled code where its process does. That folder is one of
 * Node's version inside the one that Node is given.
 */
export const threadEnv = (compiled: string | undefined): Record<string, string> =>
  compiled === undefined ? {} : { NODE_COMPILE_CACHE: `${compiled}/..` }
