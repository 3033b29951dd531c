// What one document says of one operation, read from OpenAPI or OpenRPC.
import type { Operation } from "../harness/core/interface.ts";
import type { DocumentLine, PublishedDocument } from "./documents.ts";
import type { SchemaShape } from "./shapes.ts";

/** A key that a request carries, as a document describes it. */
export interface PublishedCarrier {
  readonly in: string;
  readonly name: string;
  /** Whether it is enough; false where another key is needed with it. */
  readonly isAlone: boolean;
  readonly line: DocumentLine;
}

/** A refusal that a document lists by its code alone, as OpenRPC does. */
export interface PublishedCode {
  readonly code: number;
  readonly message: string | null;
  readonly line: DocumentLine;
}

/** What one document says of one operation. */
export interface PublishedOperation {
  readonly operation: Operation;
  readonly document: PublishedDocument;
  readonly line: DocumentLine;
  /** Whether other methods are described with it, so that nothing says which answer is whose. */
  readonly isShared: boolean;
  /** Null where a document has no paths, as OpenRPC. */
  readonly path: { readonly method: string; readonly template: string; readonly line: DocumentLine } | null;
  /** Of a method's params; of an endpoint's path parameters, and of the `entries` that its body lists. */
  readonly request: SchemaShape | null;
  /** What the whole body of a request may be; null where none is described. */
  readonly body: SchemaShape | null;
  readonly bodyTypes: readonly string[];
  readonly carriers: readonly PublishedCarrier[];
  /** Names of its parameters, the path's and keys apart. */
  readonly parameters: readonly { readonly name: string; readonly line: DocumentLine }[];
  /** By HTTP status, `2XX` or `default`; of OpenRPC `result` alone. Null where no JSON body is described. */
  readonly answers: ReadonlyMap<string, { readonly shape: SchemaShape | null; readonly line: DocumentLine }>;
  readonly codes: readonly PublishedCode[];
}

/** What documents have. */
export interface Published {
  readonly operations: readonly PublishedOperation[];
  /** How many operations they describe that the interface doesn't have. */
  readonly others: number;
}
