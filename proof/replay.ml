(* Runs the samplers of Model.v on tapes: one case a line, one result a line.
   Words are separated by blanks, the members of a list by commas; numbers and tapes are hex digits. *)

open Model

let rec positive_of_bits bits = match bits with
  | [] -> None
  | bit :: higher ->
    match positive_of_bits higher, bit with
    | None, true -> Some XH
    | None, false -> None
    | Some p, true -> Some (XI p)
    | Some p, false -> Some (XO p)

let digit c = int_of_string ("0x" ^ String.make 1 c)

(* Lowest bit first. *)
let bits_of_hex text =
  String.fold_left
    (fun bits c -> let d = digit c in
      List.map (fun i -> d land (1 lsl i) <> 0) [0; 1; 2; 3] @ bits) [] text

let number text = match positive_of_bits (bits_of_hex text) with
  | None -> N0
  | Some p -> Npos p

let rec bits_of_positive p = match p with
  | XH -> [true]
  | XO p -> false :: bits_of_positive p
  | XI p -> true :: bits_of_positive p

let rec hex_of_bits bits = match bits with
  | [] -> ""
  | _ ->
    let bit i = match List.nth_opt bits i with Some true -> 1 lsl i | _ -> 0 in
    let rest = List.filteri (fun i _ -> i >= 4) bits in
    hex_of_bits rest ^ Printf.sprintf "%x" (bit 0 + bit 1 + bit 2 + bit 3)

let hex n = match n with
  | N0 -> "0"
  | Npos p -> hex_of_bits (bits_of_positive p)

let nat text =
  let rec of_int n = if n = 0 then O else S (of_int (n - 1)) in
  of_int (int_of_string ("0x" ^ text))

let members text = if text = "-" then [] else String.split_on_char ',' text
let numbers text = List.map number (members text)

let tape text =
  if text = "-" then []
  else List.init (String.length text / 2) (fun i -> number (String.sub text (2 * i) 2))

let joined l = if l = [] then "-" else String.concat "," (List.map hex l)

let mechanism words = match words with
  | ["subset"; k; d; a; c] -> Subset (nat k, nat d, number a, number c)
  | ["sampled_bits"; k; m; s; a; c] -> SampledBits (nat k, nat m, nat s, number a, number c)
  | ["piecewise"; k; no_answer; g; w; a; c] ->
    Piecewise (nat k, no_answer = "1", nat g, nat w, number a, number c)
  | _ -> failwith ("no mechanism: " ^ String.concat " " words)

let parts text draws = match text with
  | "all" -> All
  | "equal" -> Equal (nat draws)
  | "unequal" -> Unequal (numbers draws)
  | _ -> failwith ("no choice of parts: " ^ text)

let shown show result = match result with
  | None -> "none"
  | Some (v, rest) -> Printf.sprintf "%s left %d" (show v) (List.length rest)

(* The words before the first "/", those before the next, ... *)
let rec sections words = match words with
  | [] -> [[]]
  | "/" :: words -> [] :: sections words
  | word :: words ->
    match sections words with
    | first :: others -> (word :: first) :: others
    | [] -> assert false

let block words = match List.rev words with
  | x :: m -> (mechanism (List.rev m), numbers x)
  | [] -> failwith "no block"

let result words = match words with
  | ["below"; m; t] -> shown hex (below (number m) (tape t))
  | ["privset"; k; m; l; a; c; x; t] ->
    shown joined (privset (nat k) (nat m) (nat l) (number a) (number c) (numbers x) (tape t))
  | ["blocks"; p; draws; count; t] ->
    shown joined (draw_blocks (parts p draws) (nat count) (tape t))
  | ["floor"; n; d] -> hex (exponential_floor (number n) (number d))
  | ["within"; highs; lows; n; d] ->
    string_of_bool (is_within (List.combine (numbers highs) (numbers lows)) (number n) (number d))
  | "budget" :: asked :: n :: d :: "/" :: blocks ->
    let dearest = worst (nat asked) (List.map mechanism (sections blocks)) in
    string_of_bool (is_within (List.concat_map spends dearest) (number n) (number d))
  | "report" :: p :: draws :: t :: "/" :: blocks ->
    let show ((drawn, id), values) =
      String.concat " " (joined drawn :: hex id :: List.map joined values) in
    shown show (report (parts p draws) (List.map block (sections blocks)) (tape t))
  | _ ->
    match List.rev words with
    | t :: x :: m -> shown joined (randomize (mechanism (List.rev m)) (numbers x) (tape t))
    | _ -> failwith "no case"

let () =
  try
    while true do
      print_endline (result (String.split_on_char ' ' (input_line stdin)))
    done
  with End_of_file -> ()
