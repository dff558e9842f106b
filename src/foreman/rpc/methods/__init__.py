"""The methods of the door, one file per prefix; the table that names them is `foreman.rpc.table`."""
