/**
 * An object as its maker has it, who writes the fields that others only read. A field and no getter: V8 keeps the
 * accessors of an object literal in its old generation, and with them all that they close over, so that one made for a
 * request would hold that request until the next major collection.
 */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
