/** Style sheets are imported for what they do, and have nothing to name. */
declare module '*.css'
